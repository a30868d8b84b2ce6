import type { FileCheck, Found } from "../source/rule.ts";
import type { SourceFile } from "../source/source.ts";
import { HIDDEN, nameOfHidden } from "./hidden-shapes.ts";

/** Finds characters in source that hide from a reader what a program does. */
export const hiddenCharacter: FileCheck = {
  covers: () => true,
  hint: HIDDEN,
  async look(source) {
    if (!(await isSource(source))) return [];
    return source.added
      .map(({ line, text }) => ({ line, text: line === 1 ? text.replace(/^\ufeff/u, "") : text }))
      .filter(({ text }) => HIDDEN.test(text))
      .map(({ line, text }) => foundOn(line, text));
  },
};

/** By its name, or by the first line that says what runs it. */
async function isSource({ kind, text }: SourceFile): Promise<boolean> {
  return kind.language !== "text" || ((await text()) ?? "").startsWith("#!");
}

function foundOn(line: number, text: string): Found {
  const which = HIDDEN.exec(text)?.[0] ?? "";
  return {
    line,
    endLine: line,
    snippet: text.replace(new RegExp(HIDDEN, "gu"), codeOf),
    title: `A ${nameOfHidden(text)} character is in the source`,
    description: `Line ${line} holds ${codeOf(which)}, which readers do not see and programs do.`,
  };
}

function codeOf(characters: string): string {
  const codes = [...characters].map((one) => (one.codePointAt(0) ?? 0).toString(16));
  return codes.map((code) => (code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`)).join("");
}
