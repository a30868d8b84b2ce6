import type { Caps, Finding, LoopEvent, LoopState, Policy, Stage } from "@anneal/types";
import { withUsage } from "../agents/believable.ts";
import { lastRound, roundsDone } from "./rounds.ts";
import { stuckOnAll } from "./stuck.ts";

/** Adds what an event used to the account of the running cycle. */
export function spend(state: LoopState, event: LoopEvent): LoopState {
  // Time that a person or the forge takes counts towards no budget.
  const idle = state.stage === "waiting-for-human" || state.stage === "awaiting-feedback";
  const waitedMs = idle ? Math.max(0, event.at - state.lastAt) : 0;
  const cycle = {
    ...state.cycle,
    ...withUsage({ tokens: state.cycle.tokens, costUsd: state.cycle.costUsd }, event),
    startedAt: state.cycle.startedAt + waitedMs,
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

/** When the loop's own time is used up, whatever is under way then; null where nothing caps what it does. */
export function deadlineOf({ caps }: Policy, state: LoopState): number | null {
  return caps.wallMs === undefined || !isCapped(state) ? null : state.cycle.startedAt + caps.wallMs;
}

function isCapped(state: LoopState): boolean {
  return CAPPED.has(state.stage) && !(state.stage === "committing" && state.of === "documents");
}

/** Which cap the next piece of paid work would break, in words, or null. Delivery is never cut short. */
export function capExceeded({ caps }: Policy, state: LoopState): string | null {
  if (!isCapped(state)) return null;
  const { tokens, costUsd, startedAt } = state.cycle;
  if (caps.tokens !== undefined && tokens >= caps.tokens) return `${tokens} of ${caps.tokens} tokens are used`;
  if (caps.costUsd !== undefined && costUsd >= caps.costUsd)
    return `${dollars(costUsd)} of ${dollars(caps.costUsd)} are spent`;
  const elapsedMs = state.lastAt - startedAt;
  if (caps.wallMs !== undefined && elapsedMs >= caps.wallMs) return `${elapsedMs} of ${caps.wallMs} ms are used`;
  return null;
}

/** An amount without the dust that adding fractions leaves; a small one with as many digits as it takes to see it. */
export function dollars(costUsd: number): string {
  if (costUsd >= BEYOND_DIGITS) return `more than $${BEYOND_DIGITS}`;
  const digits = costUsd > 0 ? Math.max(4, 1 - Math.floor(Math.log10(costUsd))) : 4;
  return `$${costUsd.toFixed(Math.min(digits, 20)).replace(/\.?0+$/, "")}`;
}

/** From here on a number is written with an exponent. */
const BEYOND_DIGITS = 1e21;

/** Of two caps the smaller holds. */
export function tighter(caps: Caps, others: Caps): Caps {
  const both: Caps = {};
  for (const key of ["wallMs", "tokens", "costUsd"] as const) {
    const given = [caps[key], others[key]].filter((cap) => cap !== undefined);
    if (given.length > 0) both[key] = Math.min(...given);
  }
  return both;
}

/** Stages whose work costs money: these a cap of the day holds back. */
export function isPaid(stage: Stage): boolean {
  return stage === "implementing" || stage === "reviewing" || stage === "fixing";
}

/** What a person has to know where a limit stopped the work: what is stuck, and how far it came. */
export function account(policy: Policy, state: LoopState): string {
  return `${stuckOn(state)}; ${roundsSoFar(policy, state)}`;
}

function stuckOn(state: LoopState): string {
  const problems = problemsOf(state);
  if (problems.length === 0) return UNFINISHED[state.stage] ?? "nothing is known to be wrong";
  return stuckOnAll(problems, { names: 1, chars: 80 });
}

const UNFINISHED: Partial<Record<LoopState["stage"], string>> = {
  implementing: "the work is not done",
  validating: "the work is not checked",
  committing: "the work is not committed",
  reviewing: "the last commit is not reviewed",
};

function problemsOf(state: LoopState): readonly Finding[] {
  if (state.stage === "fixing") return state.problems;
  const { verdict } = state;
  return verdict?.head === state.head && verdict?.verdict.result === "fail" ? verdict.verdict.blocking : [];
}

/** Numbered as everywhere else: on from the rounds of earlier loops. */
function roundsSoFar(policy: Policy, state: LoopState): string {
  return `${roundsDone(state)} of ${lastRound(policy, state)} rounds so far`;
}
