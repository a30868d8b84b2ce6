/** What git's patch says of one file, to the letter. */
export interface FilePatch {
  path: string;
  text: string;
}

/** Cuts git's patch into its files, in git's order; joined they are the patch again. */
export function filesOf(patch: string): FilePatch[] {
  const files: FilePatch[] = [];
  for (const text of sectionsOf(patch)) {
    const path = pathOf(text);
    const last = files.at(-1);
    // A file that becomes a link has two sections: one that goes and one that comes.
    if (last?.path === path) last.text += text;
    else files.push({ path, text });
  }
  return files;
}

/** A run of lines of a patch that is best left together: a head, or a hunk with the head before it. */
export interface Atom {
  text: string;
  /** Where the lines below the hunk's own line begin, on both sides. */
  start?: { old: number; new: number };
}

/** The hunks of one file, the first with the file's head before it. */
export function atomsOf(text: string): Atom[] {
  const atoms: Atom[] = [];
  let head = "";
  for (const piece of cutBefore(text, ["\n@@ ", NEXT_FILE])) {
    if (!piece.startsWith("@@ ")) head += piece;
    else {
      const start = startOf(piece);
      atoms.push({ text: head + piece, ...(start === undefined ? {} : { start }) });
      head = "";
    }
  }
  return head === "" ? atoms : [...atoms, { text: head }];
}

export function linesIn(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

// Lines of content begin with a sign of their own, so nothing but git writes these at the start of one.
const NEXT_FILE = "\ndiff --git ";

function sectionsOf(patch: string): string[] {
  return patch === "" ? [] : cutBefore(patch, [NEXT_FILE]);
}

function cutBefore(text: string, marks: readonly string[]): string[] {
  const pieces: string[] = [];
  const nextOf = marks.map((mark) => text.indexOf(mark));
  let from = 0;
  for (;;) {
    const at = Math.min(...nextOf.map((next) => (next < 0 ? Number.POSITIVE_INFINITY : next)));
    if (at === Number.POSITIVE_INFINITY) return [...pieces, text.slice(from)];
    pieces.push(text.slice(from, at + 1));
    from = at + 1;
    for (const [index, mark] of marks.entries()) {
      const next = nextOf[index] ?? -1;
      if (next >= 0 && next <= at) nextOf[index] = text.indexOf(mark, at + 1);
    }
  }
}

function startOf(hunk: string): Atom["start"] {
  const found = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(hunk);
  return found === null ? undefined : { old: Number(found[1]), new: Number(found[2]) };
}

function pathOf(section: string): string {
  const hunks = section.indexOf("\n@@ ");
  const head = (hunks < 0 ? section : section.slice(0, hunks)).split("\n");
  const after = (start: string) => head.find((line) => line.startsWith(start))?.slice(start.length);
  const named = [after("+++ "), after("--- ")]
    .map((name) => plainName(name ?? "/dev/null"))
    .find((name) => name !== "/dev/null");
  if (named !== undefined) return named.replace(/^[ab]\//, "");
  const moved = after("rename to ") ?? after("copy to ");
  return moved === undefined ? nameOfBoth(head[0] ?? "") : plainName(moved);
}

/** `diff --git a/x b/x`: without a rename both names are the same, so the middle is where they part. */
function nameOfBoth(line: string): string {
  const names = line.replace(/^diff --git /, "");
  if (names.endsWith('"')) return plainName(/"(?:[^"\\]|\\.)*"$/.exec(names)?.[0] ?? names).replace(/^b\//, "");
  return names.slice((names.length + 1) / 2).replace(/^b\//, "");
}

/** Git puts names with special characters into quotes, and a tab after those with a space. */
function plainName(name: string): string {
  const trimmed = name.replace(/\t$/, "");
  if (!/^".*"$/.test(trimmed)) return trimmed;
  const bytes = trimmed.slice(1, -1).replace(/\\(?:([0-7]{3})|(.))|[^\\]/gu, (all, octal?: string, letter?: string) => {
    if (octal !== undefined) return `%${Number.parseInt(octal, 8).toString(16).padStart(2, "0")}`;
    return encodeURIComponent(letter === undefined ? all : (ESCAPES[letter] ?? letter));
  });
  try {
    return decodeURIComponent(bytes);
  } catch {
    return trimmed;
  }
}

const ESCAPES: Record<string, string> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };
