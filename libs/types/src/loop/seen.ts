import { z } from "zod";

/** What a person looked at when they spoke: a loop's change as it was at one head, after so many reviews and so much feedback. */
export const Seen = z.strictObject({
  loop: z.string().min(1).max(300),
  head: z.string().max(64).nullable(),
  /** The number of its last finished round; 0 before there is one. */
  round: z.int().nonnegative(),
  /** How often what was said on its pull request had sent it back to work. */
  feedback: z.int().nonnegative(),
});
export type Seen = z.infer<typeof Seen>;
