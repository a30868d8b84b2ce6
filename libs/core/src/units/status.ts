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

/** How far the tasks of a unit are. */
export interface TaskProgress {
  /** Numbers of the tasks whose backpressure command has passed. */
  done: ReadonlySet<number>;
  /** The task that is being worked on, if any. */
  current: number | null;
}

/** A task's status. Once the unit's work is committed as a whole, none of its tasks is open any more. */
export function taskStatus(state: LoopState, task: number, { done, current }: TaskProgress): TaskStatus {
  if (done.has(task) || state.head !== null) return "complete";
  if (task !== current) return "pending";
  if (state.stage === "ended") return state.outcome === "stopped" ? "pending" : "failed";
  return unitStatus(state) === "blocked" ? "failed" : "in_progress";
}
