import { GitError, type Repo } from "@anneal/adapters/git";

/** False also for commits that are not here. */
export async function isPartOf(main: Repo, commit: string, history: string): Promise<boolean> {
  try {
    return (await main.mergeBase(commit, history)) === commit;
  } catch (error) {
    if (error instanceof GitError && (error.kind === "unknown-ref" || error.kind === "no-merge-base")) return false;
    throw error;
  }
}
