import { z } from "zod";
import { Finding } from "../review/finding.ts";
import { CompleteReport, Coverage, Usage } from "../review/report.ts";
import { PlayedBy } from "./round.ts";

/**
 * One of several reviewers' own report of a round, as it gave it, before all became one. A reviewer that reports no findings
 * has a look with an empty list; one that gave no report has no look. A review by a single reviewer is complete in its event.
 */
export const Look = z.object({
  by: PlayedBy,
  /** What the findings call it (`seenBy`): two of one name get different names. */
  as: z.string(),
  claim: CompleteReport.shape.claim,
  coverage: Coverage,
  usage: Usage,
  /** SHA-256 of its prompt, as it is kept. */
  promptHash: z.string().optional(),
  findings: z.array(
    z.object({
      finding: Finding,
      /** The index, in the round's report, of the finding that it became. */
      became: z.int().nonnegative(),
      /** How sure it is that others saw the same; missing where nobody else did. */
      score: z.number().optional(),
    }),
  ),
});
export type Look = z.infer<typeof Look>;

/** What one round's reviewers said by themselves. */
export const Looks = z.object({
  /** Which version of the matcher made one of them. */
  matcher: z.int(),
  each: z.array(Look).min(1),
});
export type Looks = z.infer<typeof Looks>;
