import type { ApiEscalation, ApiFinding, ItemRef, LoopState, Policy, WaitReason } from "@anneal/types";
import { lastRound, roundsDone } from "../loop/rounds.ts";
import { refusal } from "../loop/signals.ts";
import { countFindings } from "../stories/counts.ts";
import { CHOICES } from "../stories/escalation.ts";
import { findingsDocumentPath } from "../write/findings-document.ts";
import { consequenceOf, signalsFor } from "./consequences.ts";

/** Waits in which a person decides about what the reviews found. */
const ABOUT_REVIEWS: readonly WaitReason[] = [
  "rounds-exhausted",
  "stalled",
  "oscillating",
  "capped",
  "never-publish",
  "feedback-exhausted",
];

/** Whether a loop waits for a person because of what its reviews found. */
export function isEscalated(state: LoopState): state is Extract<LoopState, { stage: "waiting-for-human" }> {
  return state.stage === "waiting-for-human" && ABOUT_REVIEWS.includes(state.reason);
}

/** What a person needs to decide how a stuck loop goes on; null where it does not wait for that. */
export function escalationOf(
  { kind, id }: ItemRef,
  policy: Policy,
  state: LoopState,
  findings: readonly ApiFinding[],
): ApiEscalation | null {
  if (!isEscalated(state)) return null;
  const open = findings.filter(({ disposition }) => disposition.kind === "open");
  const asked = CHOICES.map(({ key, signal, text }) => {
    const { consequence, undoable } = consequenceOf(kind, state, signal);
    const whyNot = refusal(policy, state, signal);
    return { key, signal, text, consequence, undoable, possible: whyNot === null, whyNot };
  });
  const round = roundsDone(state);
  return {
    reason: state.reason,
    detail: state.detail,
    round,
    maxRounds: lastRound(policy, state),
    counts: countFindings(open.map(({ finding }) => finding)),
    open,
    choices: asked,
    others: signalsFor(kind, policy, state).filter(({ signal }) => !asked.some((one) => one.signal === signal)),
    document: kind === "story" && round > 0 ? findingsDocumentPath(id, round) : null,
  };
}
