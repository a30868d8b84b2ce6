import type { LoopState, Outcome, Stage, WaitReason } from "@anneal/types";

/** The words of a story's `status`. Seed 003 names `blocked` and `done`; the others are those of its own state file. */
export const STORY_STATUSES = ["pending", "in-progress", "review", "done", "blocked", "paused", "skipped"] as const;
export type StoryStatus = (typeof STORY_STATUSES)[number];

const ENDED: Record<Outcome, StoryStatus> = {
  passed: "done",
  merged: "done",
  accepted: "done",
  blocked: "blocked",
  failed: "blocked",
  stopped: "pending",
  closed: "blocked",
};

const AT_WORK: Record<Exclude<Stage, "ended" | "waiting-for-human">, StoryStatus> = {
  implementing: "in-progress",
  validating: "in-progress",
  committing: "in-progress",
  fixing: "in-progress",
  reviewing: "review",
  "opening-pr": "review",
  "awaiting-feedback": "review",
  merging: "review",
};

/** Waits that are about the work itself; all others are about its review. */
const ABOUT_THE_WORK: readonly WaitReason[] = ["step-broke", "validation-failed", "misconfigured", "no-change"];

/** A story's status from the state of its loop. `skipped` is a person's own word and never ours. */
export function storyStatus(state: LoopState): StoryStatus {
  if (state.stage === "ended") return ENDED[state.outcome];
  if (isClosing(state)) return "review";
  if (state.stage !== "waiting-for-human") return AT_WORK[state.stage];
  if (state.reason === "paused") return "paused";
  if (state.kept.of === "documents") return "review";
  if (state.reason === "capped") return AT_WORK[state.backTo];
  return ABOUT_THE_WORK.includes(state.reason) ? "in-progress" : "review";
}

/** The work is over and its documents are being committed. */
export function isClosing(state: LoopState): boolean {
  return state.stage === "committing" && state.of === "documents";
}

/** What other tools write for the same. */
const ALSO: Readonly<Record<string, StoryStatus>> = { ready: "pending", complete: "done", completed: "done" };

/** The word that a person means by a status, in whatever case they write it; null for one that nobody knows. */
export function storyStatusNamed(written: string): StoryStatus | null {
  const word = written.trim().toLowerCase();
  return STORY_STATUSES.find((known) => known === word) ?? (Object.hasOwn(ALSO, word) ? (ALSO[word] ?? null) : null);
}

/** Whether a status says that nothing is left to do, so that stories which depend on this one may start. */
export function isStoryDone(status: string | undefined): boolean {
  return storyStatusNamed(status ?? "") === "done";
}
