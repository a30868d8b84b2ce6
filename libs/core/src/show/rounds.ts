import type {
  ApiAttempt,
  ApiChangeMade,
  ApiRound,
  ApiRoundLine,
  ApiScorecard,
  Finding,
  Policy,
  Severity,
} from "@anneal/types";
import { SEVERITIES } from "@anneal/types/scales";
import { overallScore } from "../gate/gate.ts";
import type { Made, RoundRecord, RoundRecords } from "./round-records.ts";

/** The text of a blob, or null where it is gone. */
export type TextOf = (blob: string) => string | null;

/** The rounds of a loop as lists show them. */
export function roundLines(base: string, { rounds, since }: RoundRecords): ApiRoundLine[] {
  return rounds.map((record, index) => lineOf(base, record, answerTo(rounds, index, since)));
}

/** The reviews since the last round, which have no result. */
export function attemptsSince({ attempts }: RoundRecords): ApiAttempt[] {
  return attempts.map(attemptOf);
}

/** One round as its own page shows it; null where there is none of that number. */
export function roundDetail(
  { policy, base }: { policy: Policy; base: string },
  { rounds, since }: RoundRecords,
  number: number,
  textOf: TextOf,
): ApiRound | null {
  const index = rounds.findIndex(({ round }) => round.number === number);
  const record = rounds[index];
  if (record === undefined) return null;
  const { round, review, made } = record;
  const fix = answerTo(rounds, index, since);
  const { verdict: _, findings: __, reviewed: ___, skipped: ____, ...line } = lineOf(base, record, fix);
  return {
    ...line,
    since: record.since,
    report: round.report,
    verdict: round.verdict,
    coverage: round.coverage,
    reviewers: round.by.agent.split("+"),
    requirementsJudged: review.requirementsJudged,
    scorecard: scorecardOf(policy, round.report.scores),
    promptHash: review.prompt ?? null,
    transcript: transcriptOf("reviewing", review),
    made: changeMade(made, textOf),
    fix: isNothing(fix) ? null : changeMade(fix, textOf),
    lastAllowed: round.lastAllowed,
  };
}

/** The scores of a report against the rule of its policy; null where nothing is scored. */
export function scorecardOf(
  { pass }: Pick<Policy, "pass">,
  scores: Record<string, number> | undefined,
): ApiScorecard | null {
  const { scorecard: rule } = pass;
  if (rule === undefined || scores === undefined) return null;
  const dimensions = Object.entries(rule.dimensions).map(([name, { weight, atLeast = null }]) => {
    const score = scores[name] ?? 0;
    return { name, score, weight, atLeast, passes: atLeast === null || score >= atLeast };
  });
  const overall = overallScore(rule, scores);
  const passes = dimensions.every((one) => one.passes) && overall >= rule.overallAtLeast;
  return { dimensions, overall, overallAtLeast: rule.overallAtLeast, passes };
}

/** How many findings there are of each severity. */
export function bySeverity(findings: readonly Pick<Finding, "severity">[]): Record<Severity, number> {
  const counts = Object.fromEntries(SEVERITIES.map((severity) => [severity, 0])) as Record<Severity, number>;
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}

/** The id of the transcript of one turn, where one was kept. */
function transcriptOf(
  stage: string,
  { transcript, turn }: { transcript?: string | undefined; turn: number },
): string | null {
  return transcript === undefined ? null : `${stage}-${turn}`;
}

function answerTo(rounds: readonly RoundRecord[], index: number, since: Made): Made {
  return rounds[index + 1]?.made ?? since;
}

function isNothing({ runs, validation, commit }: Made): boolean {
  return runs.length === 0 && validation.length === 0 && commit === null;
}

function attemptOf(one: RoundRecord["attempts"][number]): ApiAttempt {
  const noVerdict = one.type === "reviewed" && one.report.status === "inconclusive" ? one.report.reason : "no verdict";
  const reason = one.type === "broke" ? one.reason : noVerdict;
  return { at: one.at, reason, usage: one.usage, transcript: transcriptOf("reviewing", one) };
}

function lineOf(base: string, { round, review, attempts }: RoundRecord, fix: Made): ApiRoundLine {
  const { number, reviewedAt, head, verdict, by, report, coverage } = round;
  return {
    number,
    reviewedAt,
    head,
    base,
    verdict: verdict.result,
    why: verdict.reason,
    by,
    findings: bySeverity(report.findings),
    reviewed: coverage.reviewed.length,
    skipped: coverage.skipped.length,
    usage: review.usage,
    fixCommit: fix.commit,
    attempts: attempts.map(attemptOf),
  };
}

function changeMade({ runs, validation, commit }: Made, textOf: TextOf): ApiChangeMade {
  return {
    commit,
    runs: runs.map((run) => ({
      role: run.type === "implemented" ? "implementer" : "fixer",
      at: run.at,
      by: run.by,
      changed: run.changed,
      said: run.output === null ? null : textOf(run.output),
      refutations: run.type === "fixed" ? run.refutations : [],
      usage: run.usage,
      promptHash: run.prompt ?? null,
      transcript: transcriptOf(run.type === "implemented" ? "implementing" : "fixing", run),
    })),
    validation: validation.map((one) => ({
      at: one.at,
      result: one.type === "validated" ? one.result : "commit-refused",
      findings: one.findings,
    })),
  };
}
