import { z } from "zod";
import { CodeReviewFinding, CodeReviewStatus } from "./code-review.ts";
import { FeatureStatus } from "./feature.ts";
import { AdvisoryReviewIssue } from "./review/advisory-review.ts";
import { AnalyzedFeedback, RefinementResult, ReviewLoopSession, ReviewLoopState, ReviewResult } from "./review-loop.ts";

const feature = { featureId: z.string().min(1) };
const iteration = { ...feature, iterationNumber: z.int().positive() };

/** Every event that the seeds name, with its payload. */
export const EventMap = z.object({
  "feature:code-review-started": z.object(iteration),
  "feature:code-review-progress": z.object({ ...iteration, message: z.string() }),
  "feature:code-review-completed": z.object({
    ...iteration,
    status: CodeReviewStatus,
    findings: z.array(CodeReviewFinding),
    summary: z.string(),
  }),
  "feature:code-review-approved": z.object({ ...feature, nextStatus: FeatureStatus }),
  "feature:code-review-rejected": z.object({ ...iteration, rejectionReason: z.string() }),
  "feature:code-review-failed": z.object({ ...feature, error: z.string() }),
  "feature:code-review-max-iterations": z.object(feature),

  "review-loop:state-changed": z.object({
    ...feature,
    previousState: ReviewLoopState,
    newState: ReviewLoopState,
    session: ReviewLoopSession,
  }),
  "review-loop:review-completed": z.object({ ...feature, result: ReviewResult }),
  "review-loop:refinement-completed": z.object({ ...feature, result: RefinementResult }),
  "review-loop:pr-feedback-received": z.object({ ...feature, feedback: AnalyzedFeedback }),
  "review-loop:ready-for-human": z.object({ ...feature, prUrl: z.string(), summary: z.string() }),
  "review-loop:error": z.object({ ...feature, error: z.string(), stage: ReviewLoopState }),

  "codereview.started": z.null(),
  "codereview.passed": z.object({ summary: z.string() }),
  "codereview.issues_found": z.object({ count: z.int().positive(), issues: z.array(AdvisoryReviewIssue) }),
  "codereview.fix_applied": z.null(),
  "codereview.failed": z.object({ error: z.string() }),
});
export type EventMap = z.infer<typeof EventMap>;

/** The name of an event of the seeds. */
export const EventName = EventMap.keyof();
export type EventName = z.infer<typeof EventName>;

/** What an event of this name carries. */
export type EventPayload<N extends EventName> = EventMap[N];
