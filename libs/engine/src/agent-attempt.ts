import type { Repo, StrangeMoves } from "@anneal/adapters/git";
import type { Usage } from "@anneal/types";
import { type AttemptNote, forgetAttempt, leftAttempts, noteAttempt } from "./attempt-note.ts";
import { AgentFailed } from "./errors.ts";
import type { FoundCommits } from "./found-commits.ts";

/** Lets an agent work that may write in its worktree, and sees to what became of the branches meanwhile. */
export async function attempt<T extends { usage: Usage }>(
  { repo, found }: { repo: Repo; found?: FoundCommits | undefined },
  work: () => Promise<T>,
): Promise<T> {
  // Else what an earlier agent did here would be taken for how things were.
  for (const note of leftAttempts(repo, repo.root)) await settle(repo, note, (message) => found?.tell(message));
  const then = await repo.branchesNow();
  const { item = "", under = "refs/anneal/kept" } = found ?? {};
  noteAttempt(repo, { item, under, then });
  const inOrder = async () => {
    const strange = await repo.putBackMoves(then, under);
    for (const line of linesOf(strange)) found?.tell(line);
    forgetAttempt(repo, then.root);
    return strange.putBack.map(movedBy);
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

/**
 * Undoes what agents did to branches whose process was killed before it could see to that. For an owner, before anything
 * else: whatever comes next would take it for a person's doing.
 */
export async function settleLeftAttempts(repo: Repo, tell: (item: string, message: string) => void): Promise<void> {
  for (const note of leftAttempts(repo)) {
    await settle(repo, note, (message) => tell(note.item, message)).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      tell(note.item, `what its agent did to branches could not be looked at, and is the next time: ${why}`);
    });
  }
}

async function settle(repo: Repo, { under, then }: AttemptNote, tell: (message: string) => void): Promise<void> {
  const { endLeftovers } = await import("@anneal/adapters/sandbox");
  endLeftovers(then.root);
  const strange = await repo.putBackLeft(then, under);
  for (const line of linesOf(strange)) tell(line);
  for (const moved of strange.putBack.map(movedBy))
    tell(`an agent that was cut off had moved ${moved}; it was put back`);
  forgetAttempt(repo, then.root);
}

function movedBy({ ref, kept }: StrangeMoves["putBack"][number]): string {
  return `${ref} (where the agent had put it is kept as ${kept})`;
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
