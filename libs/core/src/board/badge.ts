import type { ActiveStage, LoopState, Outcome, Policy, TicketStatus } from "@anneal/types";
import { sessionState } from "../pull-request/session.ts";
import { storyStatus } from "../stories/status.ts";
import { unitStatus } from "../units/status.ts";
import { reviewProgress } from "../write/feature-fields.ts";
import { heldBack } from "../write/held-back.ts";

/** The status of an item, in the words of its seed; null before there is anything to say. */
export function badgeOf(kind: string, { push }: Pick<Policy, "push">, state: LoopState): string | null {
  switch (kind) {
    case "ticket":
      return ticketWord(state);
    case "story":
      return storyStatus(state);
    case "unit":
      return unitStatus(state);
    case "feature":
      // A feature that becomes a pull request has the states of seed 001, any other those of its review.
      return push === "with-pr" ? sessionState(state) : reviewWord(state);
    default:
      return null;
  }
}

/** A reviewer that approved did not reject, whatever holds the change back. */
function reviewWord(state: LoopState): string | null {
  const status = reviewProgress(state)?.status ?? null;
  const verdict = state.verdict?.verdict;
  return status === "rejected" && verdict !== undefined && heldBack(verdict) !== null ? "held back" : status;
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

const AT_WORK: Record<Exclude<ActiveStage, "fixing">, TicketStatus> = {
  implementing: "executing",
  validating: "validating",
  committing: "validating",
  reviewing: "reviewing",
  "opening-pr": "reviewing",
  "awaiting-feedback": "reviewing",
  merging: "reviewing",
};

/** A ticket's word from its state alone: that its builder has begun to revise is in no state, so it needs revision until it is done. */
function ticketWord(state: LoopState): TicketStatus {
  if (state.stage === "ended") return ENDED[state.outcome];
  const stage = state.stage === "waiting-for-human" ? state.backTo : state.stage;
  if (stage !== "fixing") return AT_WORK[stage];
  const cause = state.stage === "fixing" ? state.cause : "review";
  return cause === "validation" ? "validating" : "needs_revision";
}
