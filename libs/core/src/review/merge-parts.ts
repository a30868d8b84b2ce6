import type { CompleteReport, Report, Ruling, Scores, TrackedFinding } from "@anneal/types";
import { mergeFindings } from "./merge-findings.ts";

/** The result of one call of a review that took several. */
export interface ReviewedPart {
  report: Report;
  /** The files that it was shown, whole or in part. */
  files: readonly string[];
}

/** One report of all calls: each can only make it stricter, and one that says nothing makes it say nothing. */
export function mergeParts(parts: readonly ReviewedPart[], of: number, earlier: readonly TrackedFinding[]): Report {
  const complete: { report: CompleteReport; files: readonly string[] }[] = [];
  for (const [index, { report, files }] of parts.entries()) {
    if (report.status === "inconclusive")
      return { status: "inconclusive", reason: `part ${index + 1} of ${of} (${named(files)}): ${report.reason}` };
    complete.push({ report, files });
  }
  if (complete.length < of)
    return { status: "inconclusive", reason: `part ${complete.length + 1} of ${of} is missing` };
  const reports = complete.map(({ report }) => report);
  const scores = lowest(reports);
  const compliance = complianceOf(reports);
  const demand = joinedTexts(reports.map((report) => report.demand));
  const recommendation = joinedTexts(reports.map((report) => report.recommendation));
  const { rulings, notes } = rulingsOf(complete, earlier);
  return {
    status: "complete",
    claim: claimOf(reports),
    findings: mergeFindings(reports),
    summary: joinedTexts(reports.map(({ summary }) => summary)),
    ...(demand === "" ? {} : { demand }),
    ...(recommendation === "" ? {} : { recommendation }),
    ...(scores === undefined ? {} : { scores }),
    ...(compliance === undefined ? {} : { compliance }),
    rulings,
    ...(reports.some(({ partlyRead }) => partlyRead === true) ? { partlyRead: true } : {}),
    notes: [
      `The change was reviewed in ${of} parts.`,
      ...(scores === undefined ? [] : ["Each score is the lowest that any part got."]),
      ...reports.flatMap((report, index) => report.notes.map((note) => `Part ${index + 1}: ${note}`)),
      ...notes,
    ],
  };
}

export function named(files: readonly string[]): string {
  const [first = "no file", ...rest] = files;
  return rest.length === 0 ? first : `${first} and ${rest.length} more`;
}

function claimOf(reports: readonly CompleteReport[]): CompleteReport["claim"] {
  if (reports.some(({ claim }) => claim === "fail")) return "fail";
  return reports.every(({ claim }) => claim === "pass") ? "pass" : null;
}

/** The lowest score per dimension. One that is missing in any report is missing: the gate then says so. */
export function lowest(reports: readonly Pick<CompleteReport, "scores">[]): Scores | undefined {
  const all = reports.map(({ scores }) => scores);
  const [first, ...rest] = all;
  if (first === undefined || rest.some((scores) => scores === undefined)) return undefined;
  const dimensions = Object.keys(first).filter((name) => rest.every((scores) => scores?.[name] !== undefined));
  return Object.fromEntries(dimensions.map((name) => [name, Math.min(...all.map((scores) => scores?.[name] ?? 0))]));
}

/** A requirement is met where some report calls it met and none calls it unmet. */
export function complianceOf(reports: readonly CompleteReport[]): CompleteReport["compliance"] {
  const stated = reports.flatMap(({ compliance }) => compliance ?? []);
  if (stated.length === 0) return undefined;
  const unmet = distinct(stated.flatMap((one) => one.unmet));
  const isUnmet = new Set(unmet.map(plain));
  return { met: distinct(stated.flatMap((one) => one.met)).filter((text) => !isUnmet.has(plain(text))), unmet };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Map(texts.toReversed().map((text) => [plain(text), text])).values()].toReversed();
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function joinedTexts(texts: readonly (string | undefined)[]): string {
  return texts
    .flatMap((text, index) => (text === undefined || text === "" ? [] : `Part ${index + 1}: ${text}`))
    .join("\n\n");
}

/** A part that was shown the finding's file knows; others can only hold the finding open. */
function rulingsOf(
  parts: readonly { report: CompleteReport; files: readonly string[] }[],
  earlier: readonly TrackedFinding[],
): { rulings: Ruling[]; notes: string[] } {
  const fileOf = new Map(earlier.map(({ fingerprint, finding }) => [fingerprint, finding.file]));
  const given = new Set(parts.flatMap(({ report }) => report.rulings.map(({ fingerprint }) => fingerprint)));
  const notes: string[] = [];
  const rulings = [...given].flatMap((fingerprint): Ruling[] => {
    const file = fileOf.get(fingerprint);
    const by = (part: (typeof parts)[number]) => part.report.rulings.filter((one) => one.fingerprint === fingerprint);
    const showing = file === undefined ? [] : parts.filter(({ files }) => files.includes(file));
    const knowing = showing.flatMap(by);
    const all = parts.flatMap(by);
    const chosen = strictest(knowing.length > 0 ? knowing : all);
    const silent = showing.length > 0 && knowing.length === 0 && chosen?.ruling !== "open";
    if (silent) notes.push(`No part that shows ${file} ruled on ${fingerprint}, so it stays open.`);
    return chosen === undefined || silent ? [] : [chosen];
  });
  return { rulings, notes };
}

/** Open wins, and fixed wins over refuted: it can be seen in the code. */
export function strictest(rulings: readonly Ruling[]): Ruling | undefined {
  const order: readonly Ruling["ruling"][] = ["open", "fixed", "refuted"];
  return order.map((kind) => rulings.find(({ ruling }) => ruling === kind)).find((one) => one !== undefined);
}
