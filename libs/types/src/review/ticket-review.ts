import { z } from "zod";

/** The six things that a ticket's review scores (seed 002). */
export const ReviewDimension = z.enum([
  "requirement_adherence",
  "coordination_compliance",
  "code_quality",
  "pattern_consistency",
  "test_quality",
  "security_performance",
]);
export type ReviewDimension = z.infer<typeof ReviewDimension>;

/** How much a dimension counts. */
export const DimensionWeight = z.enum(["critical", "important", "moderate"]);
export type DimensionWeight = z.infer<typeof DimensionWeight>;

/** One dimension's score, 0 to 100. */
export const DimensionScore = z.looseObject({ score: z.number().min(0).max(100), weight: DimensionWeight });
export type DimensionScore = z.infer<typeof DimensionScore>;

/** All six scores of a report. */
export const DimensionScores = z.looseObject({
  requirement_adherence: DimensionScore,
  coordination_compliance: DimensionScore,
  code_quality: DimensionScore,
  pattern_consistency: DimensionScore,
  test_quality: DimensionScore,
  security_performance: DimensionScore,
} satisfies Record<ReviewDimension, unknown>);
export type DimensionScores = z.infer<typeof DimensionScores>;

/** What the reviewer of a ticket gets. */
export const TicketReviewContext = z.object({
  ticket_id: z.string().min(1),
  ticket_path: z.string(),
  epic_path: z.string(),
  ticket_branch: z.string(),
  base_commit: z.string(),
  final_commit: z.string(),
  files_modified: z.array(z.string()),
  test_suite_status: z.enum(["passing", "failing"]),
  acceptance_criteria: z.array(z.object({ criterion: z.string(), met: z.boolean() })),
  /** 0 for the first review. */
  revision_count: z.int().nonnegative(),
  previous_review_feedback: z.string().nullable(),
});
export type TicketReviewContext = z.infer<typeof TicketReviewContext>;

/** One remark of a ticket's review that does not block by itself. */
export const TicketFinding = z.looseObject({
  dimension: ReviewDimension,
  severity: z.enum(["error", "warning", "info"]),
  file: z.string().optional(),
  line: z.int().positive().optional(),
  message: z.string(),
  suggestion: z.string().optional(),
});
export type TicketFinding = z.infer<typeof TicketFinding>;

/** A problem that has to go before the ticket can pass; file and line are ours, beyond the seed. */
export const BlockingIssue = z.looseObject({
  dimension: ReviewDimension,
  message: z.string(),
  required_action: z.string(),
  file: z.string().optional(),
  line: z.int().positive().optional(),
});
export type BlockingIssue = z.infer<typeof BlockingIssue>;

/** The pass rules that a report states one by one. */
export const PassCriteriaMet = z.looseObject({
  all_critical_dimensions_pass: z.boolean(),
  no_blocking_issues: z.boolean(),
  overall_score_above_threshold: z.boolean(),
});
export type PassCriteriaMet = z.infer<typeof PassCriteriaMet>;

/** The result of one review of a ticket. */
export const ReviewReport = z
  .looseObject({
    ticket_id: z.string().min(1),
    reviewed_at: z.iso.datetime({ offset: true, local: true }),
    reviewer: z.string(),
    status: z.enum(["pass", "fail"]),
    overall_score: z.int().min(0).max(100),
    revision_count: z.int().nonnegative(),
    dimension_scores: DimensionScores,
    findings: z.array(TicketFinding),
    blocking_issues: z.array(BlockingIssue),
    /** What the builder has to change; null on a pass. */
    revision_notes: z.string().nullable(),
    approved: z.boolean(),
    pass_criteria_met: PassCriteriaMet,
  })
  .refine((report) => report.approved === (report.status === "pass"), {
    path: ["approved"],
    message: "approved has to agree with status",
  });
export type ReviewReport = z.infer<typeof ReviewReport>;

/** Where a ticket stands. */
export const TicketStatus = z.enum([
  "pending",
  "queued",
  "executing",
  "validating",
  "reviewing",
  "needs_revision",
  "completed",
  "failed",
  "blocked",
]);
export type TicketStatus = z.infer<typeof TicketStatus>;

/** One earlier review of a ticket, in short. */
export const ReviewHistoryEntry = z.looseObject({
  /** 0 for the original attempt. */
  attempt: z.int().nonnegative(),
  reviewed_at: z.iso.datetime({ offset: true, local: true }),
  status: z.enum(["pass", "fail"]),
  overall_score: z.int().min(0).max(100),
  blocking_issues_count: z.int().nonnegative(),
  revision_notes: z.string().nullable(),
});
export type ReviewHistoryEntry = z.infer<typeof ReviewHistoryEntry>;

/** What the builder gets for a revision. */
export const RevisionContext = z.object({
  original_ticket: z.string(),
  review_report: ReviewReport,
  revision_instructions: z.string(),
  /** Earlier attempts, oldest first. */
  review_history: z.array(ReviewHistoryEntry).optional(),
});
export type RevisionContext = z.infer<typeof RevisionContext>;

/** What the review adds to a ticket in epic-state.json; all of it optional, so that older files stay valid. */
export const TicketReviewState = z.looseObject({
  revision_count: z.int().nonnegative().optional(),
  review_started_at: z.string().nullish(),
  review_completed_at: z.string().nullish(),
  review_approved: z.boolean().nullish(),
  review_history: z.array(ReviewHistoryEntry).optional(),
  current_review_report: ReviewReport.nullish(),
  failure_reason: z.string().nullish(),
});
export type TicketReviewState = z.infer<typeof TicketReviewState>;
