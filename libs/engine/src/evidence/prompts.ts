import type { RoundRecords } from "@anneal/core/show";

/** Whose prompt: the reviewer's of that round, or that of whoever made its head. */
export type PromptOf = "reviewer" | "maker";

/** The hash of an agent's prompt for a round; null if none is on record. */
export function promptHash({ rounds }: RoundRecords, number: number, of: PromptOf): string | null {
  const record = rounds.find(({ round }) => round.number === number);
  if (record === undefined) return null;
  if (of === "reviewer") return record.review.prompt ?? null;
  return record.made.runs.findLast(({ prompt }) => prompt !== undefined)?.prompt ?? null;
}
