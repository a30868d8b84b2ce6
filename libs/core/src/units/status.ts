import type { LoopState, Outcome, Stage } from "@anneal/types";

/** The words of a unit's `orch_status`. */
export const UNIT_STATUSES = [
  "pending",
  "in_progress",
  "pr_open",
  "in_review",
  "merging",
  "complete",
  "failed",
  "blocked",
] as const;
export type UnitStatus = (typeof UNIT_STATUSES)[number];

/** The words of a task's `status`. */
export const TASK_STATUSES = ["pending", "in_progress", "complete", "failed"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

const ENDED: Record<Outcome, UnitStatus> = {
  passed: "complete",
  merged: "complete",
  accepted: "complete",
  blocked: "blocked",
  failed: "failed",
  stopped: "pending",
  closed: "blocked",
};

const AT_WORK: Record<Exclude<Stage, "ended" | "waiting-for-human">, UnitStatus> = {
  implementing: "in_progress",
  validating: "in_progress",
  committing: "in_progress",
  fixing: "in_progress",
  reviewing: "in_review",
  "opening-pr": "pr_open",
  "awaiting-feedback": "pr_open",
  merging: "merging",
};

/** A unit's status from the state of its loop. One that waits for a person is blocked, unless that person paused it. */
export function unitStatus(state: LoopState): UnitStatus {
  if (state.stage === "ended") return ENDED[state.outcome];
  if (state.stage !== "waiting-for-human") return AT_WORK[state.stage];
  return state.reason === "paused" || state.reason === "capped" ? AT_WORK[state.backTo] : "blocked";
}

/** A task's status. The loop holds the tasks that are still to be built; the first of them is under way. */
export function taskStatus(state: LoopState, task: number): TaskStatus {
  const place = state.tasks.indexOf(String(task));
  if (place < 0) return "complete";
  if (place > 0) return "pending";
  const unit = unitStatus(state);
  // A task that the unit has left behind was given up, wherever the unit is now.
  return unit === "pending" || unit === "in_progress" ? unit : "failed";
}
