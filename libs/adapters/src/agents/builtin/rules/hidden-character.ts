import type { FileCheck, Found } from "../source/rule.ts";
import type { SourceFile } from "../source/source.ts";

/** A NUL, and the controls that show a line in another order than a program reads it. Marks of direction alone are part of languages. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a NUL is what is looked for
const HIDDEN = /[\u0000\u202a-\u202e\u2066-\u2069]/;

/** Finds characters in source that hide from a reader what a program does. */
export const hiddenCharacter: FileCheck = {
  covers: () => true,
  hint: HIDDEN,
  async look(source) {
    if (!(await isSource(source))) return [];
    return source.added.filter(({ text }) => HIDDEN.test(text)).map(({ line, text }) => foundOn(line, text));
  },
};

/** By its name, or by the first line that says what runs it. */
async function isSource({ kind, text }: SourceFile): Promise<boolean> {
  return kind.language !== "text" || ((await text()) ?? "").startsWith("#!");
}

function foundOn(line: number, text: string): Found {
  const which = HIDDEN.exec(text)?.[0] ?? "";
  const name = which === "\0" ? "NUL" : "bidirectional control";
  return {
    line,
    endLine: line,
    snippet: text.replace(new RegExp(HIDDEN, "g"), codeOf),
    title: `A ${name} character is in the source`,
    description: `Line ${line} holds ${codeOf(which)}, which readers do not see and programs do.`,
  };
}

function codeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
