import { z } from "zod";

/** A pull request, as far as the loop needs to know it. */
export const PullRequestRef = z.object({
  number: z.int().positive(),
  url: z.string(),
  draft: z.boolean(),
  /** What somebody merged, where nobody has reviewed that. */
  mergedHead: z.string().optional(),
});
export type PullRequestRef = z.infer<typeof PullRequestRef>;
