import type { Category, Finding, Report, Severity } from "@anneal/types";
import { SEVERITIES } from "@anneal/types/scales";
import { type Lines, touches } from "./changed-lines.ts";
import type { FileFinder } from "./file-finder.ts";
import type { Level, SarifLocation, SarifResult, SarifRun } from "./log.ts";
import { SarifError } from "./sarif-error.ts";

/** Results that the change touches are findings, the others are noted; one without a known location means that the log is about something else. */
export function reportOf(runs: readonly SarifRun[], changed: ChangeLookup): Report {
  const findings: Finding[] = [];
  const earlier: string[] = [];
  let settled = 0;
  for (const { tool, results } of runs) {
    for (const result of results) {
      if (result.settled === "in-tool") {
        settled += 1;
        continue;
      }
      const place = placedIn(result.places, changed);
      if (place !== "elsewhere") findings.push(findingOf(tool, result, place));
      // A change must not silence its findings: a remark in its own lines settles nothing.
      else if (result.settled === "in-source") settled += 1;
      else earlier.push(`${tool}: ${placeText(result)}: ${oneLine(result.message)}`);
    }
  }
  const tools = [...new Set(runs.map(({ tool }) => tool))].join(", ");
  return {
    status: "complete",
    claim: null,
    findings,
    summary: `${tools}: ${counted(findings.length, "result")} on changed lines, ${earlier.length} elsewhere that existed before the change.`,
    rulings: [],
    notes: [
      ...earlier.slice(0, MOST_NOTES).map((text) => `Existed before the change: ${text}`),
      ...(earlier.length > MOST_NOTES ? [`Existed before the change: ${earlier.length - MOST_NOTES} more.`] : []),
      ...(settled === 0 ? [] : [`${counted(settled, "result")} suppressed, left out.`]),
      ...(runs.some(({ targets }) => targets.length > 0) ? [] : ["The tool does not say which files it looked at."]),
    ],
  };
}

/** What the change touches. */
interface ChangeLookup {
  lines: ReadonlyMap<string, Lines>;
  /** The last lines of changed files, where they are known. */
  ends: ReadonlyMap<string, number>;
  find: FileFinder;
}

interface FoundLocation {
  file: string;
  line?: number;
  endLine?: number;
}

/** The location of a result that the change touches; undefined where it has none at all. */
function placedIn(
  places: readonly SarifLocation[],
  { lines, ends, find }: ChangeLookup,
): FoundLocation | "elsewhere" | undefined {
  // Nobody can say that a result about the whole was there before.
  if (places.length === 0) return undefined;
  let unfit: SarifError | undefined;
  for (const { path, ...at } of places) {
    const meant = find(path);
    if (meant.kind === "several" || meant.kind === "none") unfit ??= misfit(path.written, meant.kind);
    if (meant.kind !== "file") continue;
    const { line = 0 } = at;
    const end = ends.get(meant.file) ?? Number.POSITIVE_INFINITY;
    // Parsers name the position after the last line for what is wrong with the whole; no line of a hunk is there.
    if (line === end + 1) return { file: meant.file, ...at };
    if (line > end) unfit ??= beyond(meant.file, line, end);
    const changed = lines.get(meant.file);
    if (changed !== undefined && touches(at, changed)) return { file: meant.file, ...at };
  }
  if (unfit !== undefined) throw unfit;
  return "elsewhere";
}

function beyond(file: string, line: number, end: number): SarifError {
  return new SarifError(
    `it is for another version of the files: it names line ${line} of ${JSON.stringify(file)}, which has ${end} at this commit; run the tool again`,
  );
}

function misfit(written: string, kind: "several" | "none"): SarifError {
  const path = JSON.stringify(written.length <= 200 ? written : `…${written.slice(-199)}`);
  return new SarifError(
    kind === "none"
      ? `the SARIF file does not match this repository: no file at this commit is named ${path}; run the tool again with paths from the top of the repository`
      : `${path} could be any of several changed files; run the tool again with paths from the top of the repository`,
  );
}

const MOST_NOTES = 20;

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function findingOf(tool: string, result: SarifResult, place: FoundLocation | undefined): Finding {
  const { rule, title, message, help, tags } = result;
  return {
    ...(rule === undefined ? {} : { rule: `${tool.toLowerCase().replace(/\s+/g, "-")}/${rule}` }),
    category: categoryOf(tags, result.securitySeverity),
    severity: severityOf(result),
    title: oneLine(title),
    description: message,
    ...(help === undefined ? {} : { suggestion: help.slice(0, 2_000) }),
    ...(place === undefined ? {} : { file: place.file }),
    ...(place?.line === undefined ? {} : { line: place.line }),
    ...(place?.endLine === undefined ? {} : { endLine: place.endLine }),
  };
}

const SEVERITY: Record<Level, Severity> = { error: "high", warning: "medium", note: "low", none: "info" };

/** The level, or the rule's score as a weakness where that is worse. */
function severityOf({ level, securitySeverity: score }: SarifResult): Severity {
  if (score === undefined) return SEVERITY[level];
  const scored: Severity = score >= 9 ? "critical" : score >= 7 ? "high" : score >= 4 ? "medium" : "low";
  return SEVERITIES.indexOf(scored) < SEVERITIES.indexOf(SEVERITY[level]) ? scored : SEVERITY[level];
}

const CATEGORIES: readonly [RegExp, Category][] = [
  [/^(?:security|external\/cwe)/i, "security"],
  [/^performance|efficiency/i, "performance"],
  [/^test/i, "testing"],
  [/^(?:style|format|readability|convention)/i, "style"],
  [/^(?:architecture|maintainability|design)/i, "architecture"],
  [/^doc/i, "documentation"],
];

function categoryOf(tags: readonly string[], securitySeverity: number | undefined): Category {
  if (securitySeverity !== undefined) return "security";
  return CATEGORIES.find(([pattern]) => tags.some((tag) => pattern.test(tag)))?.[1] ?? "logic";
}

function placeText({ places: [place] }: SarifResult): string {
  if (place === undefined) return "no place";
  const path = oneLine(place.path.written);
  return place.line === undefined ? path : `${path}:${place.line}`;
}

function oneLine(words: string): string {
  const line = words.trim().replace(/\s+/g, " ");
  return line.length <= 160 ? line : `${line.slice(0, 159)}…`;
}
