/** A line of the new text, or the nearest one where a line was taken out. */
export interface PatchLine {
  file: string;
  line: number;
}

/** Where a text occurs in a patch, in its order; capital letters do not count. */
export function placesOf(patch: string, text: string): PatchLine[] {
  const wanted = text.toLowerCase();
  const places: PatchLine[] = [];
  for (const { file, line, row } of rowsOf(patch))
    if (row.slice(1).toLowerCase().includes(wanted)) places.push({ file, line });
  return places;
}

/** The first line of a file that a patch changes; the first of all where it changes none. */
export function firstLineOf(patch: string, file: string): number {
  for (const place of rowsOf(patch)) if (place.file === file && !place.row.startsWith(" ")) return place.line;
  return 1;
}

function* rowsOf(patch: string): Generator<PatchLine & { row: string }> {
  let file = "";
  let line = 0;
  let inHunk = false;
  for (const row of patch.split("\n")) {
    if (row.startsWith("diff --git ")) inHunk = false;
    else if (!inHunk && row.startsWith("+++ ")) file = row.slice(4).replace(/^b\//, "").replace(/\t$/, "");
    else if (row.startsWith("@@ ")) {
      inHunk = true;
      line = Number(/\+(\d+)/.exec(row)?.[1] ?? 1) - 1;
    } else if (inHunk && /^[+\- ]/.test(row)) {
      if (!row.startsWith("-")) line += 1;
      yield { file, line: Math.max(line, 1), row };
    }
  }
}
