import { z } from "zod";

/** What a cycle of reviews has used so far. */
export const Tally = z.object({
  reviews: z.int(),
  fixes: z.int(),
  /** Extra reviews that a person granted in this cycle. */
  granted: z.int(),
  tokens: z.int(),
  costUsd: z.number(),
  startedAt: z.int(),
});
