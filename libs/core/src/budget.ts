import type { LoopEvent, LoopState, Policy } from "@anneal/types";

/** Adds what an event used to the account of the running cycle. */
export function spend(state: LoopState, event: LoopEvent): LoopState {
  const usage = "usage" in event ? event.usage : {};
  const tokens = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
  // Time that a person or the forge takes is nobody's budget.
  const idle = state.stage === "waiting-for-human" || state.stage === "awaiting-feedback";
  const waitedMs = idle ? Math.max(0, event.at - state.lastAt) : 0;
  const cycle = {
    ...state.cycle,
    startedAt: state.cycle.startedAt + waitedMs,
    tokens: state.cycle.tokens + tokens,
    costUsd: state.cycle.costUsd + (usage.costUsd ?? 0),
  };
  return { ...state, cycle, lastAt: Math.max(state.lastAt, event.at) };
}

const CAPPED: ReadonlySet<LoopState["stage"]> = new Set([
  "implementing",
  "validating",
  "committing",
  "reviewing",
  "fixing",
]);

/** Which cap the next piece of paid work would break, in words, or null. Delivery is never cut short. */
export function capExceeded({ caps }: Policy, state: LoopState): string | null {
  if (!CAPPED.has(state.stage)) return null;
  const { tokens, costUsd, startedAt } = state.cycle;
  if (caps.tokens !== undefined && tokens >= caps.tokens) return `${tokens} of ${caps.tokens} tokens are used`;
  if (caps.costUsd !== undefined && costUsd >= caps.costUsd) return `$${costUsd} of $${caps.costUsd} are spent`;
  const elapsedMs = state.lastAt - startedAt;
  if (caps.wallMs !== undefined && elapsedMs >= caps.wallMs) return `${elapsedMs} of ${caps.wallMs} ms are used`;
  return null;
}
