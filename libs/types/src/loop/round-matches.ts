import { z } from "zod";

/** Which findings of a review go on with earlier ones. Decided once, when the review comes in, so that a replay cannot decide otherwise. */
export const RoundMatches = z.object({
  /** Which version of the matcher decided. */
  matcher: z.int(),
  pairs: z.array(
    z.object({
      /** Its index in the report. */
      finding: z.int().nonnegative(),
      fingerprint: z.string(),
      score: z.number(),
      /** Whoever was asked and said so; missing where words alone decided. */
      by: z.string().optional(),
    }),
  ),
  /** That words left some of it in doubt, and a reviewer was asked. */
  asked: z
    .object({
      by: z.string(),
      pairs: z.int().positive(),
      /** Why its answer counts for nothing. */
      unreadable: z.string().optional(),
    })
    .optional(),
});
export type RoundMatches = z.infer<typeof RoundMatches>;
