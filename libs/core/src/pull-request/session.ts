import type { ActiveStage, LoopState, ReviewLoopSession, ReviewLoopState } from "@anneal/types";
import { ABOUT_THE_RESULT } from "../items/feature-status.ts";
import { isUnreviewed } from "../loop/delivery.ts";
import { roundsDone } from "../loop/rounds.ts";
import { isoSeconds } from "../text/text.ts";
import { toReviewResult } from "./review-result.ts";

/** A loop as seed 001's session, from its state alone; null before there is anything to review. */
export function sessionOf(featureId: string, state: LoopState): ReviewLoopSession | null {
  const at = sessionState(state);
  if (at === null) return null;
  const running = state.stage === "reviewing" ? 1 : 0;
  return {
    featureId,
    state: at,
    iterations: state.rounds.map((round) => toReviewResult(state, round)),
    currentIteration: roundsDone(state) + running,
    ...(state.pr === null ? {} : { prNumber: state.pr.number, prUrl: state.pr.url }),
    ...(isUnreviewed(state) ? { notReviewed: true as const } : {}),
    startedAt: isoSeconds(state.startedAt),
    lastUpdatedAt: isoSeconds(state.lastAt),
    ...(state.stage === "ended" ? { completedAt: isoSeconds(state.lastAt) } : {}),
  };
}

/** Where a loop stands, in seed 001's words; null while it is being built for the first time. */
export function sessionState(state: LoopState): ReviewLoopState | null {
  switch (state.stage) {
    case "ended":
      return endedState(state);
    case "waiting-for-human":
      return waitingState(state);
    default:
      return workingState(state, state.stage);
  }
}

function workingState(state: LoopState, stage: ActiveStage): ReviewLoopState | null {
  switch (stage) {
    case "implementing":
    case "validating":
    case "committing":
    case "fixing":
      return producingState(state, stage);
    case "reviewing":
      // Inner rounds of a pull request are part of addressing its feedback.
      return state.pr === null ? "self_reviewing" : "addressing_feedback";
    case "opening-pr":
      return openingState(state);
    case "awaiting-feedback":
      return "awaiting_pr_feedback";
    case "merging":
      return "approved";
  }
}

function producingState(state: LoopState, stage: ActiveStage): ReviewLoopState | null {
  if (state.pr !== null) return "addressing_feedback";
  if (state.step !== null) return "self_review_passed";
  if (stage === "implementing") return null;
  return state.rounds.length === 0 ? "pending_self_review" : "refining";
}

/** The pull request does not exist yet. Where rounds ran out, the seed leaves from `refining`. */
function openingState(state: LoopState): ReviewLoopState {
  if (state.pr !== null) return "addressing_feedback";
  if (verdictHere(state) === "pass") return "self_review_passed";
  return state.rounds.length === 0 ? "pending_self_review" : "refining";
}

type Waiting = Extract<LoopState, { stage: "waiting-for-human" }>;

/** Waits that a verdict led to; all others stand where their work stands. */
const JUDGED = ["rounds-exhausted", "oscillating", "never-publish", "approval", "requirements-not-judged"];

function waitingState(state: Waiting): ReviewLoopState | null {
  if (state.reason === "ready-for-human") {
    // A draft that nobody has reviewed waits for people, but is not ready for them.
    return state.pr?.draft === true ? "awaiting_pr_feedback" : "ready_for_human_review";
  }
  // The feedback, or its answer, waits for a person: nobody addresses it.
  if (state.pr !== null && state.backTo !== "merging" && ABOUT_THE_RESULT.includes(state.reason))
    return "awaiting_pr_feedback";
  const verdict = verdictHere(state);
  if (state.pr === null && state.backTo === "reviewing" && JUDGED.includes(state.reason) && verdict !== null) {
    return verdict === "pass" ? "self_review_passed" : "self_review_failed";
  }
  return workingState(state, state.backTo);
}

type Ended = Extract<LoopState, { stage: "ended" }>;

/** The seed has no state for a loop that was stopped or given up: it shows how far it came. */
function endedState(state: Ended): ReviewLoopState | null {
  if (state.outcome === "merged" || state.outcome === "closed") return state.outcome;
  if (state.pr !== null) return leftOpen(state);
  if (state.outcome === "accepted") return "approved";
  if (state.head === null) return null;
  const verdict = verdictHere(state);
  if (verdict === null) return "pending_self_review";
  return verdict === "pass" ? "self_review_passed" : "self_review_failed";
}

/** A pull request that stays open without its loop: nobody addresses anything any more. */
function leftOpen(state: Ended): ReviewLoopState {
  const { pr, left } = state;
  if (left?.stage === "merging") return "approved";
  return left?.reason === "ready-for-human" && pr?.draft !== true ? "ready_for_human_review" : "awaiting_pr_feedback";
}

function verdictHere({ head, verdict }: LoopState): "pass" | "fail" | null {
  if (verdict === null || verdict.head !== head || verdict.verdict.result === "inconclusive") return null;
  return verdict.verdict.result;
}
