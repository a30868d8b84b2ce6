import type { FeatureStatus, LoopState, Outcome, WaitReason } from "@anneal/types";

const ENDED: Record<Outcome, FeatureStatus> = {
  passed: "verified",
  merged: "completed",
  accepted: "verified",
  blocked: "in_progress",
  failed: "in_progress",
  stopped: "backlog",
  // Who closed its pull request decides what becomes of it: it neither starts again by itself nor counts as done.
  closed: "waiting_approval",
};

/** Waits that are about the result; all others are about the work, and stay in progress, paused. */
export const ABOUT_THE_RESULT: readonly WaitReason[] = [
  "approval",
  "requirements-not-judged",
  "ready-for-human",
  "feedback-exhausted",
  "never-publish",
  "push-consent",
  "delivery-refused",
  "merge-conflict",
];

/** The board column of a feature, from the state of its loop. */
export function featureStatus(state: LoopState): FeatureStatus {
  switch (state.stage) {
    case "implementing":
    case "validating":
    case "committing":
      return state.step === null ? "in_progress" : `pipeline_${state.step}`;
    case "fixing":
      return "in_progress";
    case "reviewing":
      return "code_review";
    case "opening-pr":
    case "awaiting-feedback":
      return "waiting_approval";
    case "merging":
      return "verified";
    case "ended":
      return ENDED[state.outcome];
    case "waiting-for-human":
      if (ABOUT_THE_RESULT.includes(state.reason)) return "waiting_approval";
      return state.reason === "paused" && state.backTo === "reviewing" ? "code_review" : "in_progress";
  }
}

const KINDS_OF_THEIR_OWN: readonly string[] = ["ticket", "story", "unit", "epic"];

/** The board column of any item: what is no feature is completed once it is done, and waits for people once it is lost. */
export function boardColumn(kind: string, state: LoopState): FeatureStatus {
  if (!KINDS_OF_THEIR_OWN.includes(kind)) return featureStatus(state);
  if (state.stage === "waiting-for-human") return "waiting_approval";
  if (state.stage !== "ended" || state.outcome === "stopped") return featureStatus(state);
  return ["failed", "blocked", "closed"].includes(state.outcome) ? "waiting_approval" : "completed";
}
