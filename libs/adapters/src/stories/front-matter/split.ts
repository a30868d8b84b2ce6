/** Where the front matter of a markdown text is. Offsets are of the whole text, lines count from one. */
export type Split =
  | { kind: "none"; bodyStart: number }
  /** It begins and never ends. */
  | { kind: "open" }
  | { kind: "found"; yaml: string; yamlStart: number; yamlEnd: number; bodyStart: number };

const OPENING = /^\uFEFF?---[ \t]*(?:\r?\n|$)/;
// Only \n begins a line here: the flag `m` would also count characters that YAML leaves inside of a value.
const CLOSING = /(?<=^|\n)---[ \t]*(?:\r?\n|$)/;

/** Finds the YAML between a first line `---` and the next line `---`. */
export function splitFrontMatter(text: string): Split {
  const opening = OPENING.exec(text)?.[0];
  if (opening === undefined) return { kind: "none", bodyStart: text.startsWith("\uFEFF") ? 1 : 0 };
  const rest = text.slice(opening.length);
  const closing = CLOSING.exec(rest);
  if (closing === null) return { kind: "open" };
  const yamlEnd = opening.length + closing.index;
  return {
    kind: "found",
    yaml: rest.slice(0, closing.index),
    yamlStart: opening.length,
    yamlEnd,
    bodyStart: yamlEnd + closing[0].length,
  };
}

/** The line on which an offset of the text lies. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
