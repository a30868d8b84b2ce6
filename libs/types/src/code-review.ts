import { z } from "zod";

/** What a review under the gate is about (seed 000). */
export const CodeReviewCategory = z.enum(["compliance", "code", "test", "architecture", "performance"]);
export type CodeReviewCategory = z.infer<typeof CodeReviewCategory>;

/** How bad a finding is in seed 000's words. Only `error` blocks. */
export const CodeReviewSeverity = z.enum(["info", "warning", "error"]);
export type CodeReviewSeverity = z.infer<typeof CodeReviewSeverity>;

/** One finding of a code review, as feature.json holds it. */
export const CodeReviewFinding = z.looseObject({
  category: CodeReviewCategory,
  severity: CodeReviewSeverity,
  title: z.string(),
  description: z.string(),
  suggestion: z.string().optional(),
  /** Path relative to the repository. */
  file: z.string().optional(),
  line: z.int().positive().optional(),
  /** The code it is about; the review markdown shows it. */
  currentCode: z.string().optional(),
});
export type CodeReviewFinding = z.infer<typeof CodeReviewFinding>;

/** How one review ended; `failed` means that the review itself did not come to a decision. */
export const CodeReviewStatus = z.enum(["approved", "rejected", "failed"]);
export type CodeReviewStatus = z.infer<typeof CodeReviewStatus>;

/** Which requirements the change meets and which it does not. */
export const CodeReviewCompliance = z.looseObject({ met: z.array(z.string()), unmet: z.array(z.string()) });
export type CodeReviewCompliance = z.infer<typeof CodeReviewCompliance>;

/** One review of one commit of a feature. */
export const CodeReviewIteration = z.looseObject({
  iterationNumber: z.int().positive(),
  /** When the review was complete, ISO 8601. */
  reviewedAt: z.iso.datetime({ offset: true }),
  reviewedByModel: z.string(),
  reviewedByProvider: z.string(),
  status: CodeReviewStatus,
  gitCommitHash: z.string(),
  gitDiff: z.string(),
  findings: z.array(CodeReviewFinding),
  overallSummary: z.string(),
  /** What has to be fixed, where the review rejected. */
  rejectionReason: z.string().optional(),
  /** Name of the markdown file next to feature.json. */
  reviewFile: z.string(),
  compliance: CodeReviewCompliance.optional(),
  /** The closing section of the review markdown. */
  actionRequired: z.string().optional(),
});
export type CodeReviewIteration = z.infer<typeof CodeReviewIteration>;

/** Where a feature's reviews stand, with all of them. */
export const CodeReviewSpec = z.looseObject({
  status: z.enum(["pending", "reviewing", "approved", "rejected", "failed"]),
  currentIteration: z.int().positive(),
  maxIterations: z.int().positive(),
  iterations: z.array(CodeReviewIteration),
});
export type CodeReviewSpec = z.infer<typeof CodeReviewSpec>;

/** What generating one review answers. */
export const CodeReviewResult = z.object({ status: CodeReviewStatus, summary: z.string() });
export type CodeReviewResult = z.infer<typeof CodeReviewResult>;
