import type { ChangedFile } from "@anneal/types";

/** The lines on a file's new side that are new or next to something that is gone, in order; or nobody can say which. */
export type Lines = readonly number[] | "unknown";

/** For each file of the change, its lines. Of a file that could not be read any line may be new. */
export function changedLines(files: readonly ChangedFile[], unread: readonly string[]): ReadonlyMap<string, Lines> {
  return new Map<string, Lines>([
    ...files.map(({ path, hunks }) => [path, hunks.flatMap(linesOf).sort((a, b) => a - b)] as const),
    ...unread.map((path) => [path, "unknown"] as const),
  ]);
}

function linesOf({ newStart, newLines, lines }: ChangedFile["hunks"][number]): number[] {
  const found: number[] = [];
  // A hunk without new lines names the line before it.
  let at = newLines === 0 ? newStart + 1 : newStart;
  let gone = false;
  const close = () => {
    if (gone) found.push(at - 1, at);
    gone = false;
  };
  for (const line of lines) {
    if (line.startsWith("-")) gone = true;
    // New lines stand for the old ones that they replace.
    else if (line.startsWith("+")) {
      gone = false;
      found.push(at++);
    } else if (line.startsWith(" ")) {
      close();
      at += 1;
    }
  }
  close();
  return found;
}

/** Whether lines from the first to the last hold one that is changed; all of a file where no line is given. */
export function touches({ line, endLine = line }: { line?: number; endLine?: number }, changed: Lines): boolean {
  if (changed === "unknown" || line === undefined || endLine === undefined) return true;
  let low = 0;
  let high = changed.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changed[middle] ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return (changed[low] ?? Number.POSITIVE_INFINITY) <= endLine;
}
