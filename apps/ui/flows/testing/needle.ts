import { build, rejects } from "../../../server/src/testing/loop-world.ts";

/** A change of two files with something wrong in each: on one line of a long file, and in a short one. */
export function needleIn({ lines, flawed }: { lines: number; flawed: number }) {
  const all = Array.from({ length: lines }, (_, at) => `export const line${at + 1} = ${at + 1};`);
  /** The long file, with this word on the line that is wrong. */
  const long = (word: string) => `${all.with(flawed - 1, `export const needle = "${word}";`).join("\n")}\n`;
  const implemented = {
    ...build("alpha.js", long("first")),
    edits: [
      { path: "alpha.js", content: long("first") },
      { path: "beta.js", content: 'export const beta = "needle";\n' },
    ],
  };
  return {
    long,
    implemented,
    ALPHA: flaw("alpha.js", flawed, "The needle is wrong"),
    BETA: flaw("beta.js", 1, "Beta is no good"),
  };
}

/** A review that finds these. */
export const finds = (...flaws: string[]) => ({
  ...rejects("alpha.js"),
  answer: `**[REJECTED]**\n\n### Issues Found\n${flaws.join("")}\n### Summary\nNot yet.\n\nEND OF REVIEW\n`,
});

function flaw(file: string, line: number, title: string): string {
  return `- **[CODE]** - error: ${title}\n  - Description: It must not be.\n  - File: ${file}\n  - Line: ${line}\n  - Suggestion: Check it.\n`;
}
