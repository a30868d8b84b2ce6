import type { LoopEvent, LoopState, Outcome, Policy, TicketStatus } from "@anneal/types";
import { advance, start } from "../loop/loop.ts";

/** A ticket's loop as epic-state.json needs it: what the state alone does not remember is kept next to it. */
export interface TicketLoop {
  policy: Policy;
  state: LoopState;
  status: TicketStatus;
  /** Epoch milliseconds, as are the others. */
  startedAt: number;
  /** When the latest review began. */
  reviewStartedAt: number | null;
  /** The loop that the ticket had before this one, where it was started anew. */
  before: TicketLoop | null;
}

/** Where each status may lead: seed 002's life of a ticket, and the ways in which any ticket can end before its review. */
export const MOVES: Record<TicketStatus, readonly TicketStatus[]> = {
  pending: ["queued", "blocked"],
  queued: ["executing", "blocked"],
  executing: ["validating", "failed", "blocked"],
  validating: ["reviewing", "failed", "blocked"],
  reviewing: ["completed", "needs_revision", "failed", "blocked"],
  needs_revision: ["executing", "failed", "blocked"],
  completed: [],
  failed: [],
  // What a ticket waits for may still come to a good end.
  blocked: ["pending", "queued"],
};

/** A ticket's loop from its log; null for a log that does not begin with a start. */
export function ticketLoop(events: readonly LoopEvent[], before: TicketLoop | null = null): TicketLoop | null {
  const [first, ...rest] = events;
  if (first?.type !== "loop-started") return null;
  const state = start(first);
  const begun: TicketLoop = {
    policy: first.policy,
    state,
    status: state.stage === "reviewing" ? "reviewing" : "executing",
    startedAt: before?.startedAt ?? first.at,
    reviewStartedAt: state.stage === "reviewing" ? first.at : null,
    before,
  };
  return rest.reduce(follow, begun);
}

/** The loop after one more event. */
export function follow(loop: TicketLoop, event: LoopEvent): TicketLoop {
  const state = advance(loop.policy, loop.state, event);
  const enters = state.stage === "reviewing" && loop.state.stage !== "reviewing";
  return {
    ...loop,
    state,
    status: statusAfter(loop.status, state, event),
    reviewStartedAt: enters ? state.lastAt : loop.reviewStartedAt,
  };
}

const ENDED: Record<Outcome, TicketStatus> = {
  passed: "completed",
  merged: "completed",
  accepted: "completed",
  blocked: "blocked",
  failed: "failed",
  stopped: "failed",
  closed: "blocked",
};

function statusAfter(before: TicketStatus, state: LoopState, event: LoopEvent): TicketStatus {
  switch (state.stage) {
    case "validating":
    case "committing":
      return "validating";
    case "reviewing":
      return "reviewing";
    case "fixing":
      return revising(before, event);
    case "ended":
      return ENDED[state.outcome];
    // A ticket that was never validated stays where it is, also when it is built anew; so does one that waits.
    case "implementing":
    case "waiting-for-human":
    case "opening-pr":
    case "awaiting-feedback":
    case "merging":
      return before;
  }
}

/** A failed review sends a ticket to needs_revision until its builder begins; a repair is a part of its validation. */
function revising(before: TicketStatus, event: LoopEvent): TicketStatus {
  if (before === "validating" || before === "executing") return before;
  return event.type === "intended" && event.stage === "fixing" ? "executing" : "needs_revision";
}

/** What is done about the ticket just now, in the words of its status; one that waits for a person is blocked. */
export function phaseOf({ state, status }: TicketLoop): TicketStatus {
  if (state.stage === "waiting-for-human") return "blocked";
  const building = state.stage === "implementing" || state.stage === "fixing";
  return building && status === "validating" ? "executing" : status;
}

/** Which attempt at the ticket this is: 0 for the original one. Repairs do not count; an earlier loop's attempts do. */
export function revisionCount(state: LoopState): number {
  return state.earlierRounds + revisionsOf(state);
}

/** Seed 002's `revision_count`, which is never beyond its maximum: whoever sends a ticket on after that starts a fresh count. */
export function countedRevisions({ cycle }: LoopState): number {
  return cycle.fixes;
}

/** How often this loop sent the ticket back to its builder after a review. */
export function revisionsOf({ rounds, cycle }: LoopState): number {
  return rounds.length - cycle.reviews + cycle.fixes;
}

/** MAX_REVISIONS of seed 002, as the ticket's policy has it. */
export function maxRevisions({ limits }: Policy): number {
  return Math.min(limits.fixes, limits.reviews - 1);
}
