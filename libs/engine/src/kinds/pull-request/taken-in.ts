import { GitError, type Repo } from "@anneal/git";
import { isHeldBy } from "../../work/part-of.ts";

interface Asked {
  /** Any of these will do. */
  commits: readonly string[];
  /** What a forge says was merged. Its branch may be gone, and a squash leads nowhere near it. */
  merged: string;
  remote: string;
  signal?: AbortSignal;
}

/** Whether what was merged on a forge holds a commit, or all that it changes; null if the remote does not give it out. */
export async function isTakenIn(repo: Repo, { commits, merged, ...from }: Asked): Promise<boolean | null> {
  if (commits.includes(merged)) return true;
  try {
    await repo.fetchCommit({ ...from, commit: merged });
  } catch (error) {
    if (error instanceof GitError && error.kind === "unknown-ref") return null;
    throw error;
  }
  for (const commit of commits) if (await isHeldBy(repo, commit, merged)) return true;
  return false;
}
