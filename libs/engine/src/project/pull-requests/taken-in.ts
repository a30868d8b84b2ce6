import { GitError, type Repo } from "@anneal/adapters/git";
import { isPartOf } from "../../part-of.ts";

interface Asked {
  /** Any of these will do. */
  commits: readonly string[];
  /** What a forge says was merged. Its branch may be gone, and a squash leads nowhere near it. */
  merged: string;
  remote: string;
  signal?: AbortSignal;
}

/** Whether what was merged on a forge holds a commit, or all that it changes; null where that cannot be told, for the remote does not give it out. */
export async function isTakenIn(repo: Repo, { commits, merged, ...from }: Asked): Promise<boolean | null> {
  if (commits.includes(merged)) return true;
  try {
    await repo.fetchCommit({ ...from, commit: merged });
  } catch (error) {
    if (error instanceof GitError && error.kind === "unknown-ref") return null;
    throw error;
  }
  for (const commit of commits) if (await isPartOf(repo, commit, merged)) return true;
  for (const commit of commits) if (await bringsNothing(repo, commit, merged)) return true;
  return false;
}

/** Whether merging a commit would change nothing: a squash or a cherry-pick of it is there. */
async function bringsNothing(repo: Repo, commit: string, to: string): Promise<boolean> {
  try {
    await repo.mergeBase(commit, to);
  } catch (error) {
    if (error instanceof GitError && (error.kind === "unknown-ref" || error.kind === "no-merge-base")) return false;
    throw error;
  }
  return (await repo.mergeTrees(to, commit)) === (await repo.treeOf(to));
}
