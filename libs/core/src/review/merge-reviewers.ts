import type { CompleteReport, Coverage, Look } from "@anneal/types";
import { type MergedFinding, merged } from "./merge-findings.ts";
import { complianceOf, lowest, strictest } from "./merge-parts.ts";

/** What one of several reviewers says of the whole change. */
export interface ReviewedBy {
  name: string;
  requirements: "judged" | "not-judged";
  report: CompleteReport;
  coverage: Coverage;
}

export interface MergedReview {
  report: CompleteReport;
  coverage: Coverage;
  /** What each of them found by itself, and what became of it, in their order. */
  found: Look["findings"][];
}

/** One report of several reviewers of the same change: all that any of them found, and the stricter word on everything else. */
export function mergeReviewers(members: readonly ReviewedBy[]): MergedReview {
  const all = merged(members.map(({ name, report: { findings } }) => ({ by: name, findings })));
  const reports = members.map(({ report }) => report);
  // A reviewer that gives no scores or no word on requirements leaves them to those that do.
  const scores = lowest(reports.filter((report) => report.scores !== undefined));
  const compliance = complianceOf(reports);
  const demand = toldBy(members, ({ report }) => report.demand);
  const recommendation = toldBy(members, ({ report }) => report.recommendation);
  const fingerprints = new Set(reports.flatMap(({ rulings }) => rulings.map(({ fingerprint }) => fingerprint)));
  const report: CompleteReport = {
    status: "complete",
    claim: claimOf(members),
    findings: all.map(({ finding }) => finding),
    summary: toldBy(members, ({ report }) => report.summary),
    ...(demand === "" ? {} : { demand }),
    ...(recommendation === "" ? {} : { recommendation }),
    ...(scores === undefined ? {} : { scores }),
    ...(compliance === undefined ? {} : { compliance }),
    rulings: [...fingerprints].flatMap(
      (name) => strictest(reports.flatMap(({ rulings }) => rulings.filter((one) => one.fingerprint === name))) ?? [],
    ),
    ...(reports.some(({ partlyRead }) => partlyRead === true) ? { partlyRead: true } : {}),
    ...(reports.some(({ signedOff }) => signedOff === false) ? { signedOff: false } : {}),
    notes: members.flatMap(({ name, report: { notes } }) => notes.map((note) => `${name}: ${note}`)),
  };
  const { coverage, notes } = coverageOf(members);
  const found = members.map((member, index) => foundBy(member, index, all));
  return { report: { ...report, notes: [...report.notes, ...notes] }, coverage, found };
}

function foundBy({ report }: ReviewedBy, member: number, all: readonly MergedFinding[]): Look["findings"] {
  const own = all.flatMap(({ from }, became) =>
    from.flatMap(({ list, index, score }) => (list === member ? [{ index, became, score }] : [])),
  );
  return own
    .sort((a, b) => a.index - b.index)
    .flatMap(({ index, became, score }) => {
      const finding = report.findings[index];
      return finding === undefined ? [] : [{ finding, became, ...(score === undefined ? {} : { score }) }];
    });
}

/** One rejection rejects. Silence counts for nothing where others speak, except from one who was to decide. */
function claimOf(members: readonly ReviewedBy[]): CompleteReport["claim"] {
  const claims = members.map(({ report }) => report.claim);
  if (claims.includes("fail")) return "fail";
  const undecided = members.some(({ requirements, report }) => requirements === "judged" && report.claim === null);
  return undecided || !claims.includes("pass") ? null : "pass";
}

/** A file is reviewed where somebody saw it; who did not is noted. */
function coverageOf(members: readonly ReviewedBy[]): { coverage: Coverage; notes: string[] } {
  const reviewed = [...new Set(members.flatMap(({ coverage }) => coverage.reviewed))];
  const seen = new Set(reviewed);
  const missed = members.flatMap(({ name, coverage }) => coverage.skipped.map((one) => ({ ...one, name })));
  const skipped = Map.groupBy(
    missed.filter(({ file }) => !seen.has(file)),
    ({ file }) => file,
  );
  return {
    coverage: {
      reviewed,
      skipped: [...skipped].map(([file, each]) => joined(file, each)),
    },
    notes: missed
      .filter(({ file }) => seen.has(file))
      .map(({ name, file, reason }) => `${name} did not see ${file}: ${reason}`),
  };
}

/** Excused only where it is for everybody. */
function joined(file: string, each: Coverage["skipped"]): Coverage["skipped"][number] {
  const reason = [...new Set(each.map((one) => one.reason))].join("; ");
  const excused = each.every((one) => one.excused !== undefined) ? each[0]?.excused : undefined;
  return { file, reason, ...(excused === undefined ? {} : { excused }) };
}

function toldBy(members: readonly ReviewedBy[], text: (member: ReviewedBy) => string | undefined): string {
  return members.flatMap((member) => (text(member) ? `${member.name}: ${text(member)}` : [])).join("\n\n");
}
