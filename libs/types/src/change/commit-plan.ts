import { z } from "zod";

/** A commit that is decided down to the byte but not yet made, so that making it twice makes it once. */
export const CommitPlan = z.object({
  tree: z.string(),
  /** Null for the first commit of a repository. */
  parent: z.string().nullable(),
  /** The full name of the branch that it moves; null on a detached head. */
  branch: z.string().nullable(),
  message: z.string(),
  author: z.object({ name: z.string(), email: z.string() }),
  /** Seconds since 1970 and the zone, as git writes it. */
  date: z.string(),
});
export type CommitPlan = z.infer<typeof CommitPlan>;

/** A commit that adds the documents of reviews and nothing else, and the head that they are about. */
export const DocumentsCommit = z.object({ commit: z.string(), of: z.string() });
export type DocumentsCommit = z.infer<typeof DocumentsCommit>;
