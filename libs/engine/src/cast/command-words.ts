import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";

/** The words of a command as people write it; one that holds spaces stands in double quotes. */
export function wordsOf(text: string): string[] {
  const found = text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g);
  return [...found].map(([, quoted, plain = ""]) => quoted?.replace(/\\(.)/g, "$1") ?? plain);
}

/** The same command as text, which `wordsOf` reads again. */
export function commandText(words: readonly string[]): string {
  return words
    .map((word) => (/[\s"]/.test(word) || word === "" ? `"${word.replace(/["\\]/g, "\\$&")}"` : word))
    .join(" ");
}

/**
 * A command that means the same wherever it runs: agents are started in a tree that holds what is judged, where a program
 * or script of the same name would be the judged one. A program without a slash is looked for on the PATH.
 */
export function anchoredWords([program, ...args]: readonly string[], folder: string): string[] {
  if (program === undefined) return [];
  const path = (word: string) => (isAbsolute(word) ? word : resolve(folder, word));
  return [program.includes("/") ? path(program) : program, ...args.map((arg) => (isFile(path(arg)) ? path(arg) : arg))];
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}
