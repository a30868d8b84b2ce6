import { stripVTControlCharacters } from "node:util";

/** The lines of an output without colours, with paths from the top of the tree that the tests ran in. */
export function outputLines(output: string, root: string): string[] {
  const text = stripVTControlCharacters(output).replaceAll(`file://${root}/`, "").replaceAll(`${root}/`, "");
  return text.replaceAll(root, ".").split(/\r?\n/);
}
