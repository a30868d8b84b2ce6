import type { LoopState, ReviewLoopState } from "@anneal/types";

type Arrows = Record<ReviewLoopState, readonly ReviewLoopState[]>;

/** The state machine as seed 001 draws it. */
export const DRAWN: Arrows = {
  pending_self_review: ["self_reviewing"],
  self_reviewing: ["self_review_passed", "self_review_failed"],
  self_review_passed: ["pr_created"],
  self_review_failed: ["refining"],
  refining: ["self_reviewing", "pr_created"],
  pr_created: ["awaiting_pr_feedback"],
  awaiting_pr_feedback: ["addressing_feedback"],
  addressing_feedback: ["ready_for_human_review"],
  ready_for_human_review: ["approved"],
  approved: ["merged"],
  merged: [],
  closed: [],
};

/** What a person can do outside the drawing: the seed lets every stage be overridden, and new feedback reopens what was ready. */
export const OVERRIDES: Partial<Arrows> = {
  // Skipped: the pull request opens as a draft, unreviewed.
  pending_self_review: ["pr_created"],
  // Skipped while the reviewer was at work: its review does not count as failed.
  self_reviewing: ["pending_self_review", "refining"],
  // Sent back by a person although it had passed, for instance because it must not be published.
  self_review_passed: ["refining", "self_reviewing"],
  // A person asked for more, nothing was changed, and what had passed goes on.
  refining: ["self_review_passed"],
  // Nobody asks for anything, so nothing is addressed. Closed, here and below: somebody closed the pull request.
  awaiting_pr_feedback: ["ready_for_human_review", "closed"],
  // A person's own refinement, before anybody gave feedback: it goes on listening. So does feedback that waits for a person.
  addressing_feedback: ["awaiting_pr_feedback", "closed"],
  ready_for_human_review: ["addressing_feedback", "awaiting_pr_feedback", "closed"],
  // The forge refused the merge: a person asked for more work, or is asked what to do.
  approved: ["addressing_feedback", "awaiting_pr_feedback", "closed"],
};

type Step = Pick<LoopState, "rounds" | "pr">;

/** The states that a step of the loop leads through, the last one included: along the drawing where that is true. */
export function passage(from: ReviewLoopState, to: ReviewLoopState, before: Step, after: Step): ReviewLoopState[] {
  if (from === to) return [];
  const untrue = new Set(skippedStates(before, after));
  return (
    shortest(from, to, untrue, (state) => DRAWN[state]) ??
    shortest(from, to, untrue, (state) => [...DRAWN[state], ...(OVERRIDES[state] ?? [])]) ?? [to]
  );
}

/** What did not happen in a step cannot be passed on its way, nor can states with work in them; all others are passed in no time. */
function skippedStates(before: Step, after: Step): ReviewLoopState[] {
  const reviewed = after.rounds.length > before.rounds.length ? after.rounds.at(-1)?.verdict.result : undefined;
  const opened = before.pr === null && after.pr !== null;
  return [
    "self_reviewing",
    "addressing_feedback",
    ...(reviewed === "pass" ? [] : (["self_review_passed"] as const)),
    ...(reviewed === "fail" ? [] : (["self_review_failed"] as const)),
    ...(opened ? [] : (["pr_created"] as const)),
  ];
}

function shortest(
  from: ReviewLoopState,
  to: ReviewLoopState,
  untrue: ReadonlySet<ReviewLoopState>,
  arrows: (state: ReviewLoopState) => readonly ReviewLoopState[],
): ReviewLoopState[] | null {
  const paths: ReviewLoopState[][] = arrows(from).map((next) => [next]);
  const seen = new Set<ReviewLoopState>([from, ...untrue]);
  for (const path of paths) {
    const last = path.at(-1) ?? from;
    if (last === to) return path;
    if (seen.has(last)) continue;
    seen.add(last);
    paths.push(...arrows(last).map((next) => [...path, next]));
  }
  return null;
}
