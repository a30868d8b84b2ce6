import type { Repo, StrangeMoves } from "@anneal/adapters/git";
import type { Usage } from "@anneal/types";
import { AgentFailed } from "./errors.ts";
import type { FoundCommits } from "./found-commits.ts";

/** Lets an agent work that may write in its worktree, and sees to what became of the branches meanwhile. */
export async function attempt<T extends { usage: Usage }>(
  { repo, found }: { repo: Repo; found?: FoundCommits | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const then = await repo.branchesNow();
  const inOrder = async () => {
    const strange = await repo.putBackMoves(then, found?.under ?? "refs/anneal/kept");
    for (const line of linesOf(strange)) found?.tell(line);
    return strange.putBack.map(({ ref, kept }) => `${ref} (where it stood is kept as ${kept})`);
  };
  let answer: T;
  try {
    answer = await work();
  } catch (error) {
    for (const moved of await inOrder()) found?.tell(`the agent moved ${moved}; it was put back`);
    throw error;
  }
  const moved = await inOrder();
  if (moved.length === 0) return answer;
  const [what, were] = [moved.join(", "), moved.length === 1 ? "was" : "were"];
  throw new AgentFailed(`the agent moved ${what}, which ${were} put back`, answer);
}

function linesOf({ leftAlone, gone, found }: StrangeMoves): string[] {
  return [
    ...leftAlone.map(
      ({ ref, before, after, undo }) =>
        `the branch ${shortOf(ref)} went from ${idOf(before)} to ${idOf(after)} while the agent worked; that was not the agent's git, so it stays; this undoes it: ${undo}`,
    ),
    // Who removed it cannot be told; its commits are kept in any case.
    ...gone.map(
      ({ ref, kept }) =>
        `the branch ${shortOf(ref)} was removed while an agent worked; it is kept as ${kept}: git branch ${shortOf(ref)} ${kept}`,
    ),
    ...found.map(
      ({ commit, kept }) =>
        `somebody committed in its worktree while the agent worked (${idOf(commit)}); the commit is kept as ${kept}, and files of it that are still there count as the agent's work`,
    ),
  ];
}

const shortOf = (ref: string) => ref.replace(/^refs\/heads\//, "");
const idOf = (commit: string) => commit.slice(0, 12);
