import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Category, ChangedFile, Finding, Report, Severity } from "@anneal/types";
import type { Change, ReviewAnswer, Reviewer } from "../../ports.ts";
import { textFiles } from "../change-files.ts";
import { changedLines, placedIn } from "./changed-lines.ts";
import { type Level, readSarif, SarifError, type SarifResult, type SarifRun } from "./log.ts";

export { SarifError } from "./log.ts";

const LARGEST_BYTES = 64 * 1024 * 1024;

/**
 * A reviewer that takes what another tool found, from a SARIF 2.1.0 file that is read anew for each review.
 * Results on changed lines are findings; what was there before is told, and blocks nothing.
 */
export function sarifReviewer(file: string, { cwd = process.cwd() }: { cwd?: string } = {}): Reviewer {
  const path = resolve(cwd, file);
  return {
    name: "sarif",
    requirements: "not-judged",
    async review(change): Promise<ReviewAnswer> {
      const { files, coverage } = await textFiles(change);
      try {
        refuseOwnWord(path, [...coverage.reviewed, ...coverage.skipped.map((one) => one.file)]);
        const runs = readSarif(await contentOf(path));
        refuseOtherCommit(runs, change);
        return { ...reportOf(runs, files), usage: {}, coverage: covered(runs, coverage) };
      } catch (error) {
        if (!(error instanceof SarifError)) throw error;
        const report: Report = { status: "inconclusive", reason: `${file} cannot be used: ${error.message}` };
        return { report, usage: {}, coverage: { reviewed: [], skipped: coverage.skipped } };
      }
    },
  };
}

/** Refuses a file that cannot be used, before anything starts. */
export async function checkSarif(file: string, { cwd = process.cwd() }: { cwd?: string } = {}): Promise<void> {
  readSarif(await contentOf(resolve(cwd, file)));
}

async function contentOf(path: string): Promise<string> {
  try {
    if ((await stat(path)).size > LARGEST_BYTES) throw new SarifError("it is larger than 64 MB");
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
  } catch (error) {
    if (error instanceof SarifError) throw error;
    if (error instanceof TypeError) throw new SarifError("it is not UTF-8 text");
    const { code } = error as { code?: string };
    throw new SarifError(
      code === "ENOENT" ? "there is no such file" : `it cannot be read (${code ?? "unknown failure"})`,
    );
  }
}

// A change that brings its own log along would be judging itself.
function refuseOwnWord(path: string, changed: readonly string[]): void {
  const slashed = path.replaceAll("\\", "/");
  if (changed.some((file) => slashed.endsWith(`/${file}`))) throw new SarifError("the change itself holds this file");
}

function refuseOtherCommit(runs: readonly SarifRun[], { bounds: { head, headKind } }: Change): void {
  for (const { tool, revision } of runs) {
    if (revision === undefined || headKind !== "commit") continue;
    const isSame = head.startsWith(revision.toLowerCase()) && revision.length >= 7;
    if (!isSame) throw new SarifError(`${tool} looked at ${revision.slice(0, 12)}, not at ${head.slice(0, 12)}`);
  }
}

function reportOf(runs: readonly SarifRun[], files: readonly ChangedFile[]): { report: Report } {
  const lines = changedLines(files);
  const findings: Finding[] = [];
  const earlier: string[] = [];
  let settled = 0;
  for (const { tool, results } of runs) {
    for (const result of results) {
      const place = placedIn(result.places, lines);
      // A change must not silence what it is told: a remark in its own lines settles nothing.
      if (result.settled === "in-tool" || (result.settled === "in-source" && place === "elsewhere")) settled += 1;
      else if (place === "elsewhere") earlier.push(`${tool}: ${placeText(result)}: ${oneLine(result.message)}`);
      else findings.push(findingOf(tool, result, place));
    }
  }
  const tools = [...new Set(runs.map(({ tool }) => tool))].join(", ");
  const report: Report = {
    status: "complete",
    claim: null,
    findings,
    summary: `${tools}: ${counted(findings.length, "result")} on changed lines, ${earlier.length} elsewhere that were there before.`,
    rulings: [],
    notes: [
      ...earlier.slice(0, MOST_NOTES).map((text) => `Was there before: ${text}`),
      ...(earlier.length > MOST_NOTES ? [`Were there before: ${earlier.length - MOST_NOTES} more.`] : []),
      ...(settled === 0 ? [] : [`${counted(settled, "result")} suppressed, left out.`]),
      ...(runs.some(({ targets }) => targets.length > 0) ? [] : ["The tool does not say which files it looked at."]),
    ],
  };
  return { report };
}

const MOST_NOTES = 20;

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function findingOf(tool: string, result: SarifResult, place: SarifResult["places"][number] | undefined): Finding {
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
const WORST: readonly Severity[] = ["critical", "high", "medium", "low", "info"];

/** The level, or the rule's score as a weakness where that is worse. */
function severityOf({ level, securitySeverity: score }: SarifResult): Severity {
  if (score === undefined) return SEVERITY[level];
  const scored: Severity = score >= 9 ? "critical" : score >= 7 ? "high" : score >= 4 ? "medium" : "low";
  return WORST.indexOf(scored) < WORST.indexOf(SEVERITY[level]) ? scored : SEVERITY[level];
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

/** Where the tools say what they looked at, the rest of the change was not reviewed. */
function covered(runs: readonly SarifRun[], coverage: ReviewAnswer["coverage"]): ReviewAnswer["coverage"] {
  const targets = runs.flatMap((run) => run.targets);
  if (targets.length === 0) return coverage;
  const seen = (file: string) => targets.some((target) => target === file || target.endsWith(`/${file}`));
  const missed = coverage.reviewed.filter((file) => !seen(file));
  return {
    reviewed: coverage.reviewed.filter(seen),
    skipped: [...coverage.skipped, ...missed.map((file) => ({ file, reason: "the tool did not look at it" }))],
  };
}

function placeText({ places: [place] }: SarifResult): string {
  if (place === undefined) return "no place";
  return place.line === undefined ? place.file : `${place.file}:${place.line}`;
}

function oneLine(words: string): string {
  const line = words.trim().replace(/\s+/g, " ");
  return line.length <= 160 ? line : `${line.slice(0, 159)}…`;
}
