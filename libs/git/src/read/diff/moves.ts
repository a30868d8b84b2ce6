import type { ChangedFile, FileMoves, Hunk } from "@anneal/types";
import type { RepoLocation } from "../../run/repo-location.ts";
import { changedFiles } from "./diff.ts";
import { UNTOUCHED } from "./regions.ts";

/** What became of the lines and names of files between two commits. */
export interface Moves {
  /** Of the files that were asked for, by their path on the new side. */
  moves: FileMoves[];
  /** New path by old path, of all files. */
  renames: Record<string, string>;
}

export async function moves(
  location: RepoLocation,
  base: string,
  head: string,
  isWanted: (file: string, oldFile: string) => boolean,
): Promise<Moves> {
  const found: FileMoves[] = [];
  const renames: [string, string][] = [];
  for await (const file of changedFiles(location, { base, head })) {
    const { path, oldPath = path, status } = file;
    if (status === "renamed") renames.push([oldPath, path]);
    if (!isWanted(path, oldPath)) continue;
    const edits = bounded(editsOf(file));
    if (edits.length > 0) found.push({ file: path, edits });
  }
  return { moves: found, renames: Object.fromEntries(renames) };
}

type Edit = FileMoves["edits"][number];

/** Where the lines are unknown, any of them may have been changed, and none is known to have moved. */
const ANY_LINE: Edit = [1, Number.MAX_SAFE_INTEGER, 1, Number.MAX_SAFE_INTEGER];

function editsOf({ hunks, skipped = "" }: ChangedFile): Edit[] {
  if (hunks.length > 0) return hunks.flatMap(editsOfHunk);
  return UNTOUCHED.includes(skipped) ? [] : [ANY_LINE];
}

/** Git gives an empty side the line before it; ours is the line behind it. */
function editsOfHunk({ oldStart, oldLines, newStart, newLines, lines }: Hunk): Edit[] {
  const edits: Edit[] = [];
  let before = oldLines === 0 ? oldStart + 1 : oldStart;
  let after = newLines === 0 ? newStart + 1 : newStart;
  let edit: Edit | undefined;
  for (const text of lines) {
    if (text.startsWith(" ")) {
      edit = undefined;
      before++;
      after++;
    } else if (text.startsWith("-") || text.startsWith("+")) {
      if (edit === undefined) {
        edit = [before, 0, after, 0];
        edits.push(edit);
      }
      if (text.startsWith("-")) {
        edit[1]++;
        before++;
      } else {
        edit[3]++;
        after++;
      }
    }
  }
  return edits;
}

const MOST_EDITS = 500;

/** A file that was edited all over keeps no more than so many edits: neighbours become one, with what stands between them. */
function bounded(edits: readonly Edit[]): Edit[] {
  const together = Math.ceil(edits.length / MOST_EDITS);
  if (together <= 1) return [...edits];
  return Array.from({ length: Math.ceil(edits.length / together) }, (_, index) => {
    const group = edits.slice(index * together, (index + 1) * together);
    const [[oldStart, , newStart]] = group as [Edit];
    const last = group.at(-1) as Edit;
    return [oldStart, last[0] + last[1] - oldStart, newStart, last[2] + last[3] - newStart];
  });
}
