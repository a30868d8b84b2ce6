import type { Repo } from "@anneal/adapters/git";
import type { LoopState } from "@anneal/types";

/** Where commits are kept that a loop finds in its worktree and did not make, and who is told. */
export interface FoundCommits {
  /** Whose loop, as people name it. */
  item: string;
  /** The root of the project. */
  project: string;
  /** The folder of refs, such as refs/anneal/kept/login. */
  under: string;
  /** Commits that are kept already, such as the work of an earlier loop. */
  known(): Promise<readonly string[]>;
  tell(message: string): void;
}

/** Before a worktree is put back: a commit there that the log does not know may be a person's, so it is kept and told. */
export async function keepFound(
  repo: Repo,
  state: Pick<LoopState, "head" | "base" | "documents">,
  found: FoundCommits | undefined,
): Promise<void> {
  if (found === undefined) return;
  const head = state.head ?? state.base;
  for (const at of await repo.atStake()) {
    if (at === head) continue;
    if (typeof state.documents === "object" && state.documents.commit === at) continue;
    if ((await repo.mergeBase(head, at).catch(() => null)) === at) continue;
    if ((await found.known()).includes(at)) continue;
    // What an agent committed whose attempt failed is undone as the rest of its work is.
    if (await repo.isByAgents(at, head)) continue;
    const ref = `${found.under}/found-${at.slice(0, 12)}`;
    await repo.keepTree(ref, at);
    found.tell(
      `its worktree held commits that the loop did not make (${at.slice(0, 12)}); they are kept as ${ref}, and the work goes on without them: git cherry-pick them once it has ended, or stop it first`,
    );
  }
}
