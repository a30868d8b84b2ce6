import type { ApiLoopState, LoopState, Policy, WaitReason } from "@anneal/types";
import { lastRound, roundsDone } from "../loop/rounds.ts";
import { WORK } from "../loop/work.ts";

/** Why a loop waits, as a person reads it. */
export const WAITS: Record<WaitReason, string> = {
  "rounds-exhausted": "all rounds are used up and the change has not passed",
  stalled: "the last fix changed nothing and refuted nothing",
  oscillating: "the fixes undo each other",
  "review-broke": "the review failed",
  "step-broke": "a step failed",
  "validation-failed": "the project's own checks fail",
  misconfigured: "the settings must be corrected first",
  "no-change": "the agent changed nothing",
  capped: "a budget is used up",
  approval: "the review passed; a person approves",
  "requirements-not-judged": "nothing blocks, but nobody judged the requirements",
  "never-publish": "an open finding forbids publishing this change",
  "push-consent": "pushing to the remote is not allowed yet",
  "delivery-refused": "the result could not be pushed or merged",
  "ready-for-human": "the pull request is ready for human review",
  "feedback-exhausted": "the pull request keeps getting feedback",
  "merge-conflict": "a person must resolve the merge",
  paused: "the loop was paused",
  "replay-differs": "the log of this loop does not fit the current rules: stop the loop and run it again",
};

/** Whose move it is, and what it is. */
export function nextOf(
  policy: Policy,
  state: LoopState,
  agents: Readonly<Record<string, string>>,
): ApiLoopState["next"] {
  const { notBefore } = state;
  switch (state.stage) {
    case "ended":
      return { who: "nobody", sentence: `Done: the loop ended as ${state.outcome}.`, notBefore };
    case "waiting-for-human":
      return { who: "person", sentence: `Waits for your decision: ${WAITS[state.reason]}.`, notBefore };
    case "awaiting-feedback":
      return { who: "forge", sentence: "Waits for comments, reviews and checks on the pull request.", notBefore };
    case "implementing":
      return {
        who: "agent",
        sentence: `${named(agents.implementer, "The implementer")} implements the change.`,
        notBefore,
      };
    case "reviewing": {
      const again = state.breaks === 0 ? "reviews" : "retries the review";
      const round = `round ${roundsDone(state) + 1} of ${lastRound(policy, state)}`;
      return { who: "agent", sentence: `${named(agents.reviewer, "The reviewer")} ${again}, ${round}.`, notBefore };
    }
    case "fixing": {
      const count = state.problems.length;
      const what = count === 1 ? "1 problem" : `${count} problems`;
      return { who: "agent", sentence: `${named(agents.fixer, "The fixer")} works on ${what}.`, notBefore };
    }
    default:
      return { who: "anneal", sentence: `Anneal's own step: ${WORK[state.stage]}.`, notBefore };
  }
}

function named(agent: string | undefined, otherwise: string): string {
  // A name may come with a file or a program, which is no news here.
  const name = agent?.split(":")[0] ?? "";
  return name === "" ? otherwise : `${otherwise} (${name})`;
}
