import { z } from "zod";
import { CompleteReport, Coverage, Verdict } from "../review/report.ts";

/** Which program did the work, with which model. */
export const PlayedBy = z.object({
  agent: z.string(),
  model: z.string().nullable(),
  provider: z.string().nullable(),
  /** How a run named it, where the loop is bound to another. */
  named: z.string().optional(),
});
export type PlayedBy = z.infer<typeof PlayedBy>;

/** One finished review, as history and projections need it. */
export const Round = z.object({
  number: z.int().positive(),
  head: z.string(),
  reviewedAt: z.int(),
  report: CompleteReport,
  verdict: Verdict,
  by: PlayedBy,
  diff: z.string().nullable(),
  /** What the reviewer saw and what it did not. */
  coverage: Coverage,
  /** The number of the last round that was allowed when this one took place. */
  lastAllowed: z.int().positive(),
});
export type Round = z.infer<typeof Round>;

/** What is known of a review that came to nothing: who played it, and the diff that it was shown. */
export const ReviewAttempt = z.object({ by: PlayedBy, diff: z.string().nullable() });
export type ReviewAttempt = z.infer<typeof ReviewAttempt>;
