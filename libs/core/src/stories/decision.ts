import type { LoopState, Policy } from "@anneal/types";
import { lastRound } from "../loop/rounds.ts";

/** What follows a review under seed 003: commit and pull request, the fixer, or a person. */
export type StoryDecision = "clean" | "fix" | "escalate";

/** The seed's matrix. The loop decides by the same rule; this states it in the seed's terms, and a test compares both. */
export function decide({ mustFix, round, limit }: { mustFix: number; round: number; limit: number }): StoryDecision {
  if (mustFix === 0) return "clean";
  return round < limit ? "fix" : "escalate";
}

/** The last round that this cycle may have: the policy's, what a person added, and never more than the hard cap. */
export function roundLimit(policy: Pick<Policy, "limits">, state: LoopState): number {
  return lastRound(policy, state);
}
