import { signed } from "../sign-off.ts";

export const scores = {
  requirement_adherence: { score: 95, weight: "critical" },
  coordination_compliance: { score: 100, weight: "critical" },
  code_quality: { score: 80, weight: "important" },
  pattern_consistency: { score: 85, weight: "important" },
  test_quality: { score: 75, weight: "important" },
  security_performance: { score: 90, weight: "moderate" },
};
export const finding = {
  dimension: "test_quality",
  severity: "warning",
  file: "src/auth/base.py",
  line: 45,
  message: "No test covers a missing user name.",
  suggestion: "Add one.",
};
export const blocker = {
  dimension: "coordination_compliance",
  message: "authenticate takes three arguments, the epic says two.",
  required_action: "Drop the third argument.",
};
export const report = {
  ticket_id: "auth-base",
  reviewed_at: "2026-01-09T14:22:00Z",
  reviewer: "code-review-agent",
  status: "pass",
  overall_score: 89,
  revision_count: 0,
  dimension_scores: scores,
  findings: [finding],
  blocking_issues: [] as unknown[],
  revision_notes: null as string | null,
  approved: true,
  pass_criteria_met: {
    all_critical_dimensions_pass: true,
    no_blocking_issues: true,
    overall_score_above_threshold: true,
  },
  sign_off: signed,
};

/** A well-formed answer, to be broken in one spot. */
export function card(parts: Record<string, unknown>): string {
  return JSON.stringify({ ...report, ...parts }, null, 2);
}
export const without = (key: string) => card({ [key]: undefined });
export const scored = (dimension: keyof typeof scores, cell: unknown) =>
  card({ dimension_scores: { ...scores, [dimension]: cell } });
export const weak = (dimension: keyof typeof scores, score: unknown) =>
  scored(dimension, { ...scores[dimension], score });

export const passing = `Here is my report.\n\n\`\`\`json\n${card({})}\n\`\`\`\n`;
export const failing = card({
  status: "fail",
  approved: false,
  overall_score: 60,
  dimension_scores: { ...scores, coordination_compliance: { score: 40, weight: "critical" } },
  blocking_issues: [blocker],
  revision_notes: "Drop the third argument.",
  pass_criteria_met: { ...report.pass_criteria_met, all_critical_dimensions_pass: false, no_blocking_issues: false },
});
