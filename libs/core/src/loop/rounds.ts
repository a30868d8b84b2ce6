import type { LoopState, Policy } from "@anneal/types";

/** The number of the last finished round, counted on from those that the item had before this loop. */
export function roundsDone({ earlierRounds, rounds }: Pick<LoopState, "earlierRounds" | "rounds">): number {
  return earlierRounds + rounds.length;
}

/** The number of the last round that is allowed. Numbers go on over cycles and loops, while the limits count within them. */
export function lastRound(
  { limits }: Pick<Policy, "limits">,
  {
    earlierRounds,
    rounds,
    cycle,
    droppedRounds = 0,
  }: Pick<LoopState, "earlierRounds" | "rounds" | "cycle" | "droppedRounds">,
): number {
  const last = earlierRounds + rounds.length - cycle.reviews + limits.reviews + cycle.granted;
  return Math.min(last, droppedRounds + (limits.hardReviews ?? last));
}
