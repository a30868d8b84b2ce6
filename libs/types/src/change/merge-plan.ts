import { z } from "zod";

/** Finished work that waits to be merged, by the name that people know it by. */
export const WaitingMerge = z.object({ id: z.string().min(1), commit: z.string() });
export type WaitingMerge = z.infer<typeof WaitingMerge>;

/** What keeps work from being merged. */
export const MergeConflict = z.object({
  files: z.array(z.string()),
  /** What a person can do about it, as the rest of a sentence. */
  advice: z.string().optional(),
});
export type MergeConflict = z.infer<typeof MergeConflict>;

/** A merge that is decided down to the byte but not yet made, so that making it twice makes it once. */
export const MergePlan = z.object({
  /** The full name of the branch that it moves. */
  branch: z.string(),
  /** Where that branch stands: the first parent. */
  parent: z.string(),
  /** What is merged: the second parent. */
  merged: z.string(),
  /** `forward`: the branch moves to what is merged, and no commit is made. */
  by: z.enum(["commit", "forward"]),
  tree: z.string(),
  message: z.string(),
  author: z.object({ name: z.string(), email: z.string() }),
  /** Seconds since 1970 and the zone, as git writes it. */
  date: z.string(),
});
export type MergePlan = z.infer<typeof MergePlan>;
