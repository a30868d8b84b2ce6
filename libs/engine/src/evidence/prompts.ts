import type { RoundRecords } from "@anneal/core/show";

/** Whose prompt: the reviewer's of that round, or that of whoever made its head. */
export type PromptOf = "reviewer" | "maker";

/** The hash of what an agent was told for a round; null where none is on record. */
export function promptHash({ rounds }: RoundRecords, number: number, of: PromptOf): string | null {
  const record = rounds.find(({ round }) => round.number === number);
  if (record === undefined) return null;
  if (of === "reviewer") return record.review.prompt ?? null;
  return record.made.runs.findLast(({ prompt }) => prompt !== undefined)?.prompt ?? null;
}
