import type { Repo } from "@anneal/adapters/git";
import type { Usage } from "@anneal/types";
import { AgentFailed } from "./errors.ts";
import type { FoundCommits } from "./found-commits.ts";

/** Lets an agent work that may write in its worktree, and sees to the branches that were not its to move. */
export async function attempt<T extends { usage: Usage }>(
  { repo, found }: { repo: Repo; found?: FoundCommits | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const then = await repo.branchesNow();
  const inOrder = async () => {
    const { putBack, gone } = await repo.putBackMoves(then);
    for (const [ref, commit] of Object.entries(gone)) await keepGone(repo, found, ref, commit);
    return putBack;
  };
  let answer: T;
  try {
    answer = await work();
  } catch (error) {
    await inOrder();
    throw error;
  }
  const moved = await inOrder();
  if (moved.length === 0) return answer;
  const [what, were] = [moved.join(", "), moved.length === 1 ? "was" : "were"];
  throw new AgentFailed(`the agent moved ${what}, which ${were} put back`, answer);
}

/** Who removed it cannot be told; its commits are kept in any case. */
async function keepGone(repo: Repo, found: FoundCommits | undefined, ref: string, commit: string): Promise<void> {
  if (found === undefined) return;
  const kept = `${found.under}/gone-${commit.slice(0, 12)}`;
  await repo.keepTree(kept, commit);
  const name = ref.replace(/^refs\/heads\//, "");
  found.tell(`the branch ${name} was removed while an agent worked; it is kept as ${kept}: git branch ${name} ${kept}`);
}
