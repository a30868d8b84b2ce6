import type { Hunk } from "@anneal/types";

const CONTEXT = 3;
const NO_NEWLINE = "\\ No newline at end of file";

/** The change from one text to another as one hunk, from the first line that differs to the last; null where none does. */
export function oneHunk(before: string, after: string): Hunk | null {
  const [a, b] = [linesOf(before), linesOf(after)];
  let top = 0;
  while (top < a.length && top < b.length && a[top] === b[top]) top += 1;
  let tail = 0;
  while (tail < a.length - top && tail < b.length - top && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  if (top === a.length && top === b.length) return null;
  const start = Math.max(0, top - CONTEXT);
  const below = Math.min(tail, CONTEXT);
  const oldEnd = a.length - tail;
  const newEnd = b.length - tail;
  return {
    oldStart: a.length === 0 ? 0 : start + 1,
    oldLines: oldEnd + below - start,
    newStart: b.length === 0 ? 0 : start + 1,
    newLines: newEnd + below - start,
    lines: [
      ...a.slice(start, top).flatMap((line) => marked(" ", line)),
      ...a.slice(top, oldEnd).flatMap((line) => marked("-", line)),
      ...b.slice(top, newEnd).flatMap((line) => marked("+", line)),
      ...b.slice(newEnd, newEnd + below).flatMap((line) => marked(" ", line)),
    ],
  };
}

/** With their ends, so that a last line without one differs from one that has it. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function marked(sign: string, line: string): string[] {
  return line.endsWith("\n") ? [sign + line.slice(0, -1)] : [sign + line, NO_NEWLINE];
}
