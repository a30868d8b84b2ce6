import type { ApiCaps, LoopState, Policy } from "@anneal/types";
import { roundsDone } from "../loop/rounds.ts";

/** The limits of a loop, and what the running cycle has used of them. */
export function capsOf({ limits, caps }: Policy, state: LoopState, now: number): ApiCaps {
  const { cycle, repairs, breaks, feedbackCycles } = state;
  // Time that a person or the forge takes counts towards no budget.
  const idle = ["waiting-for-human", "awaiting-feedback", "ended"].includes(state.stage);
  const wallMs = Math.max(0, (idle ? state.lastAt : now) - cycle.startedAt);
  return {
    reviews: { used: cycle.reviews, limit: limits.reviews + cycle.granted },
    fixes: { used: cycle.fixes, limit: limits.fixes + cycle.granted },
    hardReviews: { used: roundsDone(state) - (state.droppedRounds ?? 0), limit: limits.hardReviews ?? null },
    repairs: { used: repairs, limit: limits.repairs },
    retries: { used: breaks, limit: limits.retries },
    feedback: { used: feedbackCycles, limit: limits.feedback },
    wallMs: { used: wallMs, limit: caps.wallMs ?? null },
    tokens: { used: cycle.tokens, limit: caps.tokens ?? null },
    costUsd: { used: cycle.costUsd, limit: caps.costUsd ?? null },
  };
}
