import type { Repo } from "@anneal/git";
import type { LoopState } from "@anneal/types";

/** What a reviewer is shown of an iteration: its head against the head that was reviewed before it, both as they are on record. */
export async function reviewDiff(
  repo: Pick<Repo, "patch">,
  { stage, base, head, rounds, earlierRounds }: LoopState,
  iterationNumber: number,
): Promise<string | null> {
  const index = iterationNumber - earlierRounds - 1;
  const isDue = stage === "reviewing" && index === rounds.length;
  const to = rounds[index]?.head ?? (isDue ? head : null);
  if (index < 0 || to === null) return null;
  return await repo.patch({ base: rounds[index - 1]?.head ?? base, head: to });
}
