import { z } from "zod";

/** The reviewer's own word on a change (seed 001). */
export const ReviewVerdict = z.enum(["pass", "needs_work", "critical_issues"]);
export type ReviewVerdict = z.infer<typeof ReviewVerdict>;

/** How bad an issue is in seed 001's words, worst first. */
export const ReviewIssueSeverity = z.enum(["critical", "high", "medium", "low", "suggestion"]);
export type ReviewIssueSeverity = z.infer<typeof ReviewIssueSeverity>;

/** What an issue is about in seed 001's words. */
export const ReviewIssueCategory = z.enum([
  "security",
  "architecture",
  "logic",
  "style",
  "performance",
  "testing",
  "documentation",
]);
export type ReviewIssueCategory = z.infer<typeof ReviewIssueCategory>;

/** One issue of a self-review or of feedback on a pull request. */
export const ReviewIssue = z.object({
  id: z.string().min(1),
  severity: ReviewIssueSeverity,
  category: ReviewIssueCategory,
  file: z.string().optional(),
  lineStart: z.int().positive().optional(),
  lineEnd: z.int().positive().optional(),
  description: z.string(),
  suggestedFix: z.string().optional(),
});
export type ReviewIssue = z.infer<typeof ReviewIssue>;

/** What one review of the loop came to. */
export const ReviewResult = z.object({
  verdict: ReviewVerdict,
  issues: z.array(ReviewIssue),
  summary: z.string(),
  iteration: z.int().positive(),
  timestamp: z.iso.datetime({ offset: true }),
});
export type ReviewResult = z.infer<typeof ReviewResult>;

/** Where people learn that a pull request is ready for them. */
export const NotificationChannel = z.enum(["github", "slack", "email"]);
export type NotificationChannel = z.infer<typeof NotificationChannel>;

/** The review loop's part of the settings. */
export const ReviewLoopConfig = z.looseObject({
  enabled: z.boolean(),
  maxIterations: z.int().min(1).max(50),
  selfReviewBeforePR: z.boolean(),
  autoAddressReviewComments: z.boolean(),
  /** Issues of this severity or worse keep the pull request back. */
  severityThreshold: ReviewIssueSeverity,
  notifyOnReady: z.boolean(),
  notificationChannels: z.array(NotificationChannel),
});
export type ReviewLoopConfig = z.infer<typeof ReviewLoopConfig>;

/** What holds where the settings say nothing. */
export const DEFAULT_REVIEW_LOOP_CONFIG: ReviewLoopConfig = {
  enabled: true,
  maxIterations: 3,
  selfReviewBeforePR: true,
  autoAddressReviewComments: true,
  severityThreshold: "medium",
  notifyOnReady: true,
  notificationChannels: ["github"],
};

/** Where a feature stands in the review loop: the states of seed 001, and `closed` for a pull request that somebody closed. */
export const ReviewLoopState = z.enum([
  "pending_self_review",
  "self_reviewing",
  "self_review_passed",
  "self_review_failed",
  "refining",
  "pr_created",
  "awaiting_pr_feedback",
  "addressing_feedback",
  "ready_for_human_review",
  "approved",
  "merged",
  "closed",
]);
export type ReviewLoopState = z.infer<typeof ReviewLoopState>;

/** One feature's way through the review loop. */
export const ReviewLoopSession = z.looseObject({
  featureId: z.string().min(1),
  state: ReviewLoopState,
  iterations: z.array(ReviewResult),
  currentIteration: z.int().nonnegative(),
  prNumber: z.int().positive().optional(),
  prUrl: z.string().optional(),
  /** Nobody has reviewed what its pull request holds, or held when it was merged. */
  notReviewed: z.literal(true).optional(),
  startedAt: z.iso.datetime({ offset: true }),
  lastUpdatedAt: z.iso.datetime({ offset: true }),
  completedAt: z.iso.datetime({ offset: true }).optional(),
});
export type ReviewLoopSession = z.infer<typeof ReviewLoopSession>;

/** One comment on a pull request, on a line or on the whole. */
export const PRComment = z.object({
  id: z.int(),
  author: z.string(),
  body: z.string(),
  file: z.string().optional(),
  line: z.int().positive().optional(),
  createdAt: z.iso.datetime({ offset: true }),
  isBot: z.boolean(),
});
export type PRComment = z.infer<typeof PRComment>;

/** One person's or bot's review of a pull request. */
export const PRReview = z.object({
  id: z.int(),
  author: z.string(),
  state: z.enum(["approved", "changes_requested", "commented", "pending"]),
  body: z.string().optional(),
  comments: z.array(PRComment),
  submittedAt: z.iso.datetime({ offset: true }),
});
export type PRReview = z.infer<typeof PRReview>;

/** Everything that was said about a pull request so far. */
export const PRFeedback = z.object({
  prNumber: z.int().positive(),
  comments: z.array(PRComment),
  reviews: z.array(PRReview),
  checksStatus: z.enum(["pending", "passing", "failing"]),
  mergeable: z.boolean(),
  requestedChanges: z.boolean(),
});
export type PRFeedback = z.infer<typeof PRFeedback>;

/** What a refinement did to the issues that it was given. */
export const RefinementResult = z.object({
  addressedIssueIds: z.array(z.string()),
  unaddressedIssueIds: z.array(z.string()),
  newIssuesIntroduced: z.array(ReviewIssue),
  notes: z.string(),
});
export type RefinementResult = z.infer<typeof RefinementResult>;

/** Feedback on a pull request, sorted by what has to be done about it. */
export const AnalyzedFeedback = z.object({
  actionableIssues: z.array(
    z.object({
      source: z.enum(["comment", "review", "check"]),
      sourceId: z.int(),
      author: z.string(),
      severity: ReviewIssueSeverity.exclude(["suggestion"]),
      file: z.string().optional(),
      line: z.int().positive().optional(),
      description: z.string(),
      suggestedAction: z.string().optional(),
    }),
  ),
  questionsToAnswer: z.array(
    z.object({
      sourceId: z.int(),
      author: z.string(),
      question: z.string(),
      suggestedResponse: z.string().optional(),
    }),
  ),
  requiresHumanDecision: z.array(z.object({ sourceId: z.int(), reason: z.string() })),
  overallStatus: z.enum(["ready_to_fix", "needs_human_input", "blocked"]),
});
export type AnalyzedFeedback = z.infer<typeof AnalyzedFeedback>;
