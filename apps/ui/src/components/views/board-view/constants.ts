import type { Tone } from "../../ui/badge.tsx";

/** Columns whose cards somebody works on: they are wider than those where cards only rest. */
export const EMPTY_COLUMN: Readonly<Record<string, string>> = {
  backlog: "The backlog is empty.",
  in_progress: "Nothing is in progress.",
  code_review: "Nothing is under review.",
  waiting_approval: "Nothing waits for you.",
  verified: "Nothing is verified.",
  completed: "Nothing is done yet.",
};

/** How the states of the seeds look on a card. */
const STATE_TONES: Readonly<Record<string, Tone>> = {
  reviewing: "calm",
  self_reviewing: "calm",
  pending_self_review: "calm",
  review: "calm",
  in_review: "calm",
  refining: "warn",
  addressing_feedback: "warn",
  needs_revision: "warn",
  rejected: "warn",
  "held back": "warn",
  self_review_failed: "warn",
  paused: "warn",
  failed: "bad",
  blocked: "bad",
  closed: "bad",
  approved: "good",
  self_review_passed: "good",
  ready_for_human_review: "good",
  completed: "good",
  complete: "good",
  done: "good",
  merged: "good",
};

export function toneOf(state: string | null): Tone {
  return (state === null ? undefined : STATE_TONES[state]) ?? "neutral";
}

export const KIND_NAMES: Readonly<Record<string, string>> = {
  feature: "Features",
  ticket: "Tickets",
  epic: "Epics",
  story: "Stories",
  unit: "Units",
  branch: "Branches",
};
