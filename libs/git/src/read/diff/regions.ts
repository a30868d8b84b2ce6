import type { ChangedFile, Hunk, Region } from "@anneal/types";
import type { RepoLocation } from "../../run/repo-location.ts";
import { changedFiles } from "./diff.ts";

/** The lines that a change touched, as they are numbered on its new side. */
export async function touchedRegions(location: RepoLocation, base: string, head: string): Promise<Region[]> {
  const regions: Region[] = [];
  for await (const file of changedFiles(location, { base, head })) {
    const ranges = rangesOf(file);
    // A file that is gone has no lines on the new side, and was touched all the same.
    if (ranges.length > 0 || file.status === "deleted") regions.push({ file: file.path, ranges });
  }
  return regions;
}

/** Why a file of a change may have no hunks though no line of it was touched. */
export const UNTOUCHED: readonly string[] = [
  "mode change only",
  "renamed only",
  "copied only",
  "empty file",
  "submodule",
];

function rangesOf(file: ChangedFile): [number, number][] {
  if (file.status === "deleted") return [];
  if (file.hunks.length > 0) return file.hunks.flatMap(rangesOfHunk);
  // Where the lines are unknown, any of them may have been touched.
  return UNTOUCHED.includes(file.skipped ?? "") ? [] : [[1, Number.MAX_SAFE_INTEGER]];
}

/** The added lines of a hunk; where lines were only removed, the line that took their place. */
function rangesOfHunk(hunk: Hunk): [number, number][] {
  const ranges: [number, number][] = [];
  const end = hunk.newStart + hunk.newLines - 1;
  let line = hunk.newLines === 0 ? hunk.newStart + 1 : hunk.newStart;
  let added = 0;
  let removed = 0;
  const flush = () => {
    if (added > 0) ranges.push([line - added, line - 1]);
    else if (removed > 0) ranges.push(onLine(Math.max(1, Math.min(line, end))));
    added = 0;
    removed = 0;
  };
  for (const text of hunk.lines) {
    if (text.startsWith("+")) {
      added++;
      line++;
    } else if (text.startsWith("-")) removed++;
    else if (text.startsWith(" ")) {
      flush();
      line++;
    }
  }
  flush();
  return ranges;
}

function onLine(line: number): [number, number] {
  return [line, line];
}
