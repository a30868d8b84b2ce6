import type { ApiLoopState } from "@anneal/types";

type Told = Pick<ApiLoopState, "stage" | "reason" | "head" | "round" | "rail" | "verdict">;

/** What an empty list of findings means: only a verdict on the head makes it good news. */
export function nothingBlocks(loop: Told): string {
  const { stage, head, verdict, rail } = loop;
  if (verdict?.current === true)
    return verdict.result === "pass"
      ? "Nothing holds this change back."
      : `The last review did not pass: ${verdict.reason}`;
  const review = rail.find((stop) => stop.stage === "reviewing");
  if (review === undefined) return "No review is on the way of this.";
  if (head === null && (stage === "ended" || stage === "waiting-for-human"))
    return "There is no change: nothing was committed, so there is nothing to review.";
  const standing = whyNot(loop, review.standing === "skipped");
  if (verdict !== null) return `This change has not been reviewed since it was changed${standing}.`;
  return review.standing === "skipped"
    ? `Nothing has been reviewed${standing}.`
    : `Nothing has been reviewed yet${standing}.`;
}

function whyNot({ stage, reason, round }: Told, leftOut: boolean): string {
  if (stage === "reviewing") return `: round ${round} is under way`;
  if (reason === "review-broke") return ": the review broke";
  return leftOut ? ": the review was left out" : "";
}
