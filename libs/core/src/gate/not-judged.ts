import type { LoopState } from "@anneal/types";

/** What a pass does not say, wherever a pass is shown and nobody judged the requirements. */
export const REQUIREMENTS_NOT_JUDGED = "requirements not judged";

/** The same as the first thing that somebody reads. */
export const REQUIREMENTS_NOT_JUDGED_IN_FULL = `${REQUIREMENTS_NOT_JUDGED}: nobody checked whether the change does what was asked`;

/** Whether the last review came to a pass without judging the requirements. */
export function isUnjudged({ verdict }: Pick<LoopState, "verdict">): boolean {
  return verdict !== null && verdict.verdict.result === "pass" && !verdict.requirementsJudged;
}

/** Follows words that report a pass. */
export function unjudgedMark(state: Pick<LoopState, "verdict">): string {
  return isUnjudged(state) ? `, ${REQUIREMENTS_NOT_JUDGED}` : "";
}
