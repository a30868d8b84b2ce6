import type { ChangedFile, Finding, LoopState, TrackedFinding } from "@anneal/types";
import { openFindings } from "./lineage.ts";

/** What a fix settles of the findings that were open before it, and what it leaves. */
export interface FixAccount {
  fixed: readonly FixedFinding[];
  open: readonly FixedFinding[];
  /** Files that it touches and nothing that it was to mend names. */
  beyond?: readonly string[];
}

/** As much of a finding as a message shows. */
export type FixedFinding = Pick<Finding, "rule" | "category" | "title" | "file" | "line"> & { isRefuted: boolean };

export const NO_FIX: FixAccount = { fixed: [], open: [] };

/** The lines that a fix changed in a file, as they were numbered before it; null where the whole file is gone or unread. */
export interface TouchedBefore {
  file: string;
  lines: readonly [number, number][] | null;
}

/** How far from a finding's lines a fix may be, where the fixer says that this is what it fixed. */
const NEAR = 3;

/** A fixer's word counts as far as the change bears it out; where it gave none, only what the change itself shows. */
export function fixAccount(
  { findings, claims }: Pick<LoopState, "findings" | "claims">,
  touched: readonly TouchedBefore[],
): Omit<FixAccount, "beyond"> {
  const { addressed = [], isSilent = true } = claims ?? {};
  const isFixed = ({ finding, fingerprint, heldIn, refutation }: TrackedFinding) => {
    // No fix takes a secret out of a commit, and what a fixer calls wrong it has not mended.
    if (heldIn !== undefined || refutation !== undefined) return false;
    if (addressed.includes(fingerprint)) return finding.file === undefined || touches(touched, finding, NEAR);
    return isSilent && finding.file !== undefined && touches(touched, finding, 0);
  };
  const open = openFindings(findings);
  return { fixed: open.filter(isFixed).map(named), open: open.filter((entry) => !isFixed(entry)).map(named) };
}

/** Where a changed file was touched, before the change. */
export function touchedBefore({ path, oldPath, status, hunks, skipped }: ChangedFile): TouchedBefore {
  const file = oldPath ?? path;
  if (status === "deleted" || (hunks.length === 0 && skipped !== undefined)) return { file, lines: null };
  return { file, lines: hunks.flatMap(linesBefore) };
}

/** The removed lines of a hunk; where lines were only added, those that they came between. */
function linesBefore({ oldStart, oldLines, lines }: ChangedFile["hunks"][number]): [number, number][] {
  const ranges: [number, number][] = [];
  // Of an empty side git gives the line before it.
  let line = oldLines === 0 ? oldStart + 1 : oldStart;
  for (const text of lines) {
    if (text.startsWith("+")) ranges.push([line - 1, line]);
    else if (text.startsWith("-")) ranges.push([line, line++]);
    else if (text.startsWith(" ")) line++;
  }
  return ranges;
}

function touches(touched: readonly TouchedBefore[], { file, line, endLine = line }: Finding, near: number): boolean {
  const places = touched.filter((one) => one.file === file);
  if (line === undefined || endLine === undefined) return places.length > 0;
  return places.some(({ lines }) => {
    if (lines === null) return true;
    return lines.some(([from, to]) => from - near <= endLine && to + near >= line);
  });
}

function named({ finding, refutation }: TrackedFinding): FixedFinding {
  const { rule, category, title, file, line } = finding;
  return { rule, category, title, file, line, isRefuted: refutation !== undefined };
}
