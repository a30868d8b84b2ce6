import type { FileMoves, Finding } from "@anneal/types";

/** How the lines of files moved since the findings were last placed; undefined where nobody knows. */
export interface Since {
  moves?: readonly FileMoves[] | undefined;
  /** New path by old path. */
  renames: Readonly<Record<string, string>>;
}

export interface CarriedFinding {
  finding: Finding;
  /** Whether its lines were changed since; null where that is not known. */
  codeChanged: boolean | null;
}

/** A finding where its code stands now, whether or not somebody names it again. */
export function carriedOn(finding: Finding, { moves, renames }: Since): CarriedFinding {
  if (finding.file === undefined) return { finding, codeChanged: null };
  const file = renames[finding.file] ?? finding.file;
  const here = file === finding.file ? finding : { ...finding, file };
  if (moves === undefined) return { finding: here, codeChanged: null };
  const edits = moves.find((one) => one.file === file)?.edits ?? [];
  const { line, endLine } = finding;
  if (line === undefined) return { finding: here, codeChanged: edits.length > 0 };
  const first = moved(line, edits);
  const last = endLine === undefined || endLine <= line ? first : moved(endLine, edits);
  const lines = { line: first, ...(endLine === undefined ? {} : { endLine: Math.max(first, last) }) };
  return { finding: { ...here, ...lines }, codeChanged: isTouched(line, endLine ?? line, edits) };
}

/** Whether the lines that a finding is about now were changed since the last look; null where that is not known. */
export function standsOnChanged({ file, line, endLine = line }: Finding, { moves }: Since): boolean | null {
  if (moves === undefined || file === undefined) return null;
  const edits = moves.find((one) => one.file === file)?.edits ?? [];
  if (line === undefined || endLine === undefined) return edits.length > 0;
  return edits.some(([, , start, count]) => start <= endLine && line <= start + Math.max(count, 1) - 1);
}

type Edits = FileMoves["edits"];

/** Where a line is after these edits; one that was changed goes to what took its place. */
function moved(line: number, edits: Edits): number {
  let shift = 0;
  for (const [oldStart, oldCount, newStart, newCount] of edits) {
    if (line < oldStart) break;
    if (line < oldStart + oldCount) return newStart + Math.min(line - oldStart, Math.max(newCount - 1, 0));
    shift = newStart + newCount - (oldStart + oldCount);
  }
  return Math.max(1, line + shift);
}

function isTouched(line: number, endLine: number, edits: Edits): boolean {
  return edits.some(([start, count]) =>
    count === 0 ? line < start && start <= endLine : start <= endLine && line < start + count,
  );
}
