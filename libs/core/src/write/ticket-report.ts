import type {
  BlockingIssue,
  CompleteReport,
  DimensionScores,
  DimensionWeight,
  Finding,
  ReviewDimension,
  ReviewReport,
  ScoreRule,
  Scores,
  TicketFinding,
  Verdict,
} from "@anneal/types";
import { CATEGORY_WORDS, categoryWord, severityWord } from "../findings/severity-and-category.ts";
import { overallScore } from "../gate/gate.ts";
import { sanitiseDeep } from "../text/sanitise.ts";
import { isoSeconds, wholeMessage } from "../text/text.ts";
import { withoutBlocking } from "./blocking.ts";
import { asSentence, heldBack } from "./held-back.ts";

export const DIMENSION_WEIGHTS: Record<ReviewDimension, DimensionWeight> = {
  requirement_adherence: "critical",
  coordination_compliance: "critical",
  code_quality: "important",
  pattern_consistency: "important",
  test_quality: "important",
  security_performance: "moderate",
};

export interface ReviewedTicket {
  ticketId: string;
  /** Epoch milliseconds. */
  reviewedAt: number;
  /** 0 for the first review. */
  revisionCount: number;
  report: CompleteReport;
  verdict: Verdict;
  /** The scorecard of the policy that judged. */
  rule: ScoreRule;
}

/** A ticket's review as epic-state.json holds it (seed 002), with every number and claim computed by us; null without all six scores. */
export function toReviewReport(reviewed: ReviewedTicket): ReviewReport | null {
  const { report, verdict, rule } = reviewed;
  const scores = scoresOf(report.scores);
  if (scores === null) return null;
  const blocking = verdict.result === "fail" ? verdict.blocking : [];
  const overall = overallScore(rule, report.scores ?? {});
  const criteria = {
    all_critical_dimensions_pass: criticalPass(rule, scores),
    no_blocking_issues: blocking.length === 0,
    overall_score_above_threshold: overall >= rule.overallAtLeast,
  };
  const passed = verdict.result === "pass" && Object.values(criteria).every(Boolean);
  return sanitiseDeep<ReviewReport>({
    ticket_id: reviewed.ticketId,
    reviewed_at: isoSeconds(reviewed.reviewedAt),
    reviewer: "code-review-agent",
    status: passed ? "pass" : "fail",
    overall_score: wholeScore(overall, rule.overallAtLeast),
    revision_count: reviewed.revisionCount,
    dimension_scores: scores,
    findings: withoutBlocking(report.findings, verdict).map(toTicketFinding),
    blocking_issues: blocking.map(toBlockingIssue),
    revision_notes: passed ? null : notesOf(report, verdict, blocking),
    approved: passed,
    pass_criteria_met: criteria,
  });
}

function scoresOf(scores: Scores | undefined): DimensionScores | null {
  const cell = (dimension: ReviewDimension) => ({
    score: scores?.[dimension] ?? Number.NaN,
    weight: DIMENSION_WEIGHTS[dimension],
  });
  const cells = {
    requirement_adherence: cell("requirement_adherence"),
    coordination_compliance: cell("coordination_compliance"),
    code_quality: cell("code_quality"),
    pattern_consistency: cell("pattern_consistency"),
    test_quality: cell("test_quality"),
    security_performance: cell("security_performance"),
  };
  return Object.values(cells).every(({ score }) => Number.isFinite(score)) ? cells : null;
}

function criticalPass(rule: ScoreRule, scores: DimensionScores): boolean {
  const critical = ["requirement_adherence", "coordination_compliance"] as const satisfies ReviewDimension[];
  return critical.every((dimension) => scores[dimension].score >= (rule.dimensions[dimension]?.atLeast ?? 0));
}

/** A score that misses the threshold never rounds up onto it. */
function wholeScore(overall: number, atLeast: number): number {
  return overall < atLeast ? Math.min(Math.round(overall), Math.ceil(atLeast) - 1) : Math.round(overall);
}

function toTicketFinding(finding: Finding): TicketFinding {
  const word = severityWord("scored", finding);
  return {
    dimension: dimensionOf(finding),
    // A blocking finding that does not block any more was ruled on by a person: it stays listed as an error.
    severity: word === "warning" || word === "info" ? word : "error",
    ...placeOf(finding),
    message: messageOf(finding),
    ...(finding.suggestion !== undefined && { suggestion: finding.suggestion }),
  };
}

function toBlockingIssue(finding: Finding): BlockingIssue {
  return {
    dimension: dimensionOf(finding),
    message: messageOf(finding),
    required_action: finding.suggestion ?? "Change the code so that this no longer holds.",
    ...placeOf(finding),
  };
}

function placeOf({ file, line }: Finding): { file?: string; line?: number } {
  return { ...(file !== undefined && { file }), ...(line !== undefined && { line }) };
}

function messageOf(finding: Finding): string {
  return wholeMessage(finding) || "The reviewer gave no description.";
}

function notesOf(report: CompleteReport, verdict: Verdict, blocking: readonly Finding[]): string {
  const because = heldBack(verdict);
  const asked = report.demand ?? demandOf(blocking, verdict);
  return because === null ? asked : `${asSentence(because)}\n${asked}`;
}

function demandOf(blocking: readonly Finding[], verdict: Verdict): string {
  const actions = blocking.map((finding) => `- ${finding.suggestion ?? messageOf(finding)}`);
  return actions.length > 0 ? actions.join("\n") : verdict.reason;
}

function dimensionOf(finding: Finding): ReviewDimension {
  const word = categoryWord("scored", finding);
  if (isDimension(word)) return word;
  const written = CATEGORY_WORDS.scored.write[finding.category];
  return isDimension(written) ? written : "code_quality";
}

export function isDimension(word: string): word is ReviewDimension {
  return Object.hasOwn(DIMENSION_WEIGHTS, word);
}
