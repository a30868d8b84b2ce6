import type {
  Category,
  CompleteReport,
  Finding,
  PassRule,
  Policy,
  Scores,
  TrackedFinding,
  Verdict,
} from "@anneal/types";
import { blocks, isUnconfirmed } from "../findings/blocking.ts";
import { atLeast, readCategory } from "../findings/severity-and-category.ts";
import { approves, isMild, isUnsigned } from "./approval.ts";
import { approvedBut } from "./gate-words.ts";
import { REQUIREMENTS_NOT_JUDGED } from "./not-judged.ts";

/** What the gate looks at: the report of one round and the ledger with that round already in it. */
export interface Judgement {
  report: CompleteReport;
  requirementsJudged: boolean;
  round: number;
  findings: readonly TrackedFinding[];
}

/** The verdict is computed from findings and scores; the reviewer's own word can only make it stricter. */
export function judge({ pass }: Pick<Policy, "pass">, seen: Judgement): Verdict {
  const { report } = seen;
  // A reviewer that does not judge requirements has no decision to give; a person gives it later.
  if (pass.claim === "required" && report.claim === null && seen.requirementsJudged) {
    return { result: "inconclusive", reason: "the reviewer gave no decision" };
  }
  const missing = missingScores(pass, report.scores);
  if (missing.length > 0) {
    return { result: "inconclusive", reason: `the scorecard has no score for ${missing.join(", ")}` };
  }
  const open = openBlockers(pass, seen);
  const blocking = [...open.map(({ finding }) => finding), ...lowScores(pass, report.scores ?? {})];
  if (blocking.length > 0) {
    const approved = report.claim !== null && approves(pass, report) ? { approved: true as const } : {};
    return { result: "fail", reason: failReason(pass, seen, open, blocking.length), blocking, ...approved };
  }
  if (report.claim === "fail" && !isMild(pass, report) && !overruled(pass, seen)) {
    return { result: "fail", reason: "the reviewer rejected the change", blocking: [rejection(report)] };
  }
  // What could not be read of it may be what blocks.
  if (report.partlyRead === true)
    return { result: "inconclusive", reason: "part of the review could not be read, and the rest does not block" };
  if (isUnsigned(pass, report)) return { result: "inconclusive", reason: NOT_SIGNED_OFF };
  const unjudged = seen.requirementsJudged ? "" : `; ${REQUIREMENTS_NOT_JUDGED}`;
  return { result: "pass", reason: `${passReason(pass, seen)}${unjudged}` };
}

/** Weighted mean of the scores, by the policy's weights. */
export function overallScore(rule: NonNullable<PassRule["scorecard"]>, scores: Scores): number {
  let sum = 0;
  let weights = 0;
  for (const [dimension, { weight }] of Object.entries(rule.dimensions)) {
    sum += (scores[dimension] ?? 0) * weight;
    weights += weight;
  }
  return sum / weights;
}

/** Whether a blocking finding is the gate's own, made from a score or a bare rejection. */
export function isJudgement(finding: Finding): boolean {
  return finding.rule === LOW_SCORE || finding.rule === REJECTED;
}

const NOT_SIGNED_OFF = "what blocked was set aside, but nobody approves the rest: the review is not signed off";
const LOW_SCORE = "score-too-low";
const REJECTED = "rejected";

function openBlockers(pass: PassRule, { findings, round }: Judgement): TrackedFinding[] {
  return findings
    .filter((entry) => entry.disposition.kind === "open" && blocks(pass, entry.finding))
    .filter((entry) => pass.earlierFindings === "carried" || entry.lastRound === round);
}

/** Where an approval does not pass, a person has to be able to see why. */
function failReason(
  pass: PassRule,
  { report, round }: Judgement,
  open: readonly TrackedFinding[],
  all: number,
): string {
  if (!approves(pass, report)) return counted(all);
  const stillOpen = new Set(report.rulings.filter(({ ruling }) => ruling === "open").map((one) => one.fingerprint));
  const silent = open.filter(({ lastRound }) => lastRound < round);
  const denied = open.filter(({ fingerprint }) => stillOpen.has(fingerprint));
  const others = all - silent.length - denied.length;
  if (report.claim === null && others === all) return counted(all);
  const said = report.claim === null ? "nothing new blocks" : "approved";
  return approvedBut(said, { silent, denied, others: others === 0 ? null : counted(others) });
}

function missingScores({ scorecard }: PassRule, scores: Scores | undefined): string[] {
  if (scorecard === undefined) return [];
  return Object.keys(scorecard.dimensions).filter((name) => !Number.isFinite(scores?.[name]));
}

/** A score below its threshold is a blocking finding, so that the fixer has something to do. */
function lowScores({ scorecard }: PassRule, scores: Scores): Finding[] {
  if (scorecard === undefined) return [];
  const low = Object.entries(scorecard.dimensions)
    .filter(([name, { atLeast: least }]) => least !== undefined && (scores[name] ?? 0) < least)
    .map(([name, { atLeast: least }]) => lowScore(name, scores[name] ?? 0, least ?? 0, readCategory("scored", name)));
  const overall = overallScore(scorecard, scores);
  return overall < scorecard.overallAtLeast
    ? [...low, lowScore("overall score", overall, scorecard.overallAtLeast, undefined)]
    : low;
}

function lowScore(name: string, score: number, least: number, category: Category | undefined): Finding {
  return {
    rule: LOW_SCORE,
    category: category ?? "compliance",
    severity: "critical",
    title: `${name.replaceAll("_", " ")} is ${Math.round(score * 10) / 10}, at least ${least} is needed`,
    description: "The reviewer scored this below the threshold of the policy.",
  };
}

/** A rejection that rests only on findings that a person has ruled on, or that were not confirmed, says nothing new. */
function overruled(pass: PassRule, { findings, round, report }: Judgement): boolean {
  const grave = findings.filter((e) => e.lastRound === round && atLeast(e.finding.severity, pass.blocksAt));
  // Nobody was asked to confirm what the reviewer says of the requirements.
  const unmet = (report.compliance?.unmet.length ?? 0) > 0;
  const isOver = ({ disposition, finding }: TrackedFinding) =>
    BY_PERSON.includes(disposition.kind) || (isUnconfirmed(finding) && !unmet);
  return grave.length > 0 && grave.every(isOver);
}

/** A rejection without a blocking finding becomes one, so that the fixer always has something to do. */
function rejection(report: CompleteReport): Finding {
  return {
    rule: REJECTED,
    category: "compliance",
    severity: "high",
    title: "The reviewer rejected the change without a blocking finding",
    description: report.demand ?? report.summary,
  };
}

type Disposition = TrackedFinding["disposition"]["kind"];

const BY_PERSON: readonly Disposition[] = ["dismissed", "accepted-risk", "deferred"];

/** What a person ruled on is not gone: `1 deferred, 2 dismissed by a person`. */
function setAside(aside: readonly TrackedFinding[]): string {
  const counts = BY_PERSON.flatMap((kind) => {
    const count = aside.filter(({ disposition }) => disposition.kind === kind).length;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  return `${counts.join(", ")} by a person`;
}

function counted(blocking: number): string {
  return blocking === 1 ? "1 finding blocks" : `${blocking} findings block`;
}

function passReason(pass: PassRule, { report, findings, round }: Judgement): string {
  const aside = findings.filter(
    ({ disposition, finding, lastRound }) =>
      BY_PERSON.includes(disposition.kind) &&
      atLeast(finding.severity, pass.blocksAt) &&
      (pass.earlierFindings === "carried" || lastRound === round),
  );
  if (aside.length > 0) return `no open finding at or above ${pass.blocksAt}; ${setAside(aside)}`;
  if (report.findings.length === 0) return "no findings";
  const unconfirmed = report.findings.filter(
    (one) => atLeast(one.severity, pass.blocksAt) && isUnconfirmed(one),
  ).length;
  const mild = isMild(pass, report) ? "; the reviewer rejected only for milder findings" : "";
  return `no ${unconfirmed > 0 ? "confirmed " : ""}finding at or above ${pass.blocksAt}${mild}`;
}
