import { GitError, type Repo } from "@anneal/adapters/git";

/** Whether a commit is in the history of another, or is that one. False also for commits that are not here. */
export async function isPartOf(repo: Repo, commit: string, history: string): Promise<boolean> {
  try {
    return (await repo.mergeBase(commit, history)) === commit;
  } catch (error) {
    if (error instanceof GitError && (error.kind === "unknown-ref" || error.kind === "no-merge-base")) return false;
    throw error;
  }
}
