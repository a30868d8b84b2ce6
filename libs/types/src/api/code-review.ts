import { z } from "zod";
import { CodeReviewStatus } from "../code-review.ts";
import { FeatureId } from "../feature.ts";

/** Asks for the review of a feature that is due (seed 000). */
export const GenerateReviewRequest = z.strictObject({
  projectPath: z.string().min(1).max(4_096),
  featureId: FeatureId,
  iterationNumber: z.int().min(1).max(10_000),
  /** Only the feature's own; it is never needed. */
  worktreePath: z.string().min(1).max(4_096).optional(),
});
export type GenerateReviewRequest = z.infer<typeof GenerateReviewRequest>;

export const GenerateReviewAnswer = z.object({
  success: z.literal(true),
  featureId: FeatureId,
  iterationNumber: z.int().positive(),
  status: CodeReviewStatus,
});
export type GenerateReviewAnswer = z.infer<typeof GenerateReviewAnswer>;
