import type { Hunk } from "@anneal/types";

/** What is longer is cut. */
export const LINE_LIMIT = 1024 * 1024;

/** Whether the line at `at` opens the patch of another file. */
export function isFileHeader(bytes: Buffer, at: number): boolean {
  return startsWith(bytes, at, "diff --git ");
}

export function startsWith(bytes: Buffer, at: number, word: string): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word.charCodeAt(i)) return false;
  return true;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** A hunk without lines yet, from its `@@` line. */
export function hunkHeader(line: string): Hunk | null {
  const match = HUNK.exec(line);
  if (!match) return null;
  const [, oldStart, oldLines = "1", newStart, newLines = "1"] = match;
  return {
    oldStart: Number(oldStart),
    oldLines: Number(oldLines),
    newStart: Number(newStart),
    newLines: Number(newLines),
    lines: [],
  };
}
