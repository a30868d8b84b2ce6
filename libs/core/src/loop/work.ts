import type { LoopState, Stage } from "@anneal/types";

/** The one kind of work that each stage holds for the driver. */
export const WORK = {
  implementing: "run the implementer",
  validating: "run the project's checks",
  committing: "commit",
  reviewing: "run the reviewer",
  fixing: "run the fixer",
  "opening-pr": "open or update the pull request",
  "awaiting-feedback": "watch the forge",
  "waiting-for-human": "wait for a signal",
  merging: "merge",
} as const satisfies Record<Exclude<Stage, "ended">, string>;

export type Work = (typeof WORK)[keyof typeof WORK];

/** Whether nobody works on a loop in this stage until somebody speaks: a person, or the forge. */
export function isAtRest(stage: Stage): boolean {
  return stage === "ended" || stage === "waiting-for-human" || stage === "awaiting-feedback";
}

export function workOf(state: LoopState): Work | null {
  return state.stage === "ended" ? null : WORK[state.stage];
}
