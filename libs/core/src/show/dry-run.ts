import type { LoopState, Policy, Story } from "@anneal/types";
import { lastRound, roundsDone } from "../loop/rounds.ts";
import { storyBranch } from "../stories/branch.ts";
import { decide } from "../stories/decision.ts";
import { WAITS } from "./next.ts";

type Named = Pick<Story, "id" | "title" | "branch">;
type Limited = Pick<Policy, "limits">;

/**
 * What a run of a story would start, as seed 003 prints it, on to the finalisation.
 * `answers` are the findings that must be fixed, round by round; a round without one is clean. Without any answers it
 * is the longest run that needs no person. Rounds are numbered on from those that the story had; the hard limit counts those,
 * too, but not the ones about work that was dropped.
 */
export function dryRun(
  story: Named,
  { limits }: Limited,
  answers?: readonly number[],
  earlierRounds = 0,
  droppedRounds = 0,
): string[] {
  const had = earlierRounds - droppedRounds;
  const left = Math.min(limits.reviews, (limits.hardReviews ?? had + limits.reviews) - had);
  if (left <= 0) {
    const all = `has had ${had} rounds of review, which is the limit`;
    return [`[DRY-RUN] Story ${story.id} ${all}: nothing would start`];
  }
  const lines: string[] = [];
  for (let round = 1; round <= left; round++) {
    const number = earlierRounds + round;
    lines.push(reviewer(story, number));
    const mustFix = answers === undefined ? 1 : (answers[round - 1] ?? 0);
    const decision = decide({ mustFix, round, limit: Math.min(limits.fixes + 1, hardLimit(limits, left)) });
    if (decision === "escalate" && answers !== undefined)
      lines.push(`[DRY-RUN] Would ask a person about Story ${story.id} after round ${number}`);
    if (decision !== "fix") break;
    lines.push(fixer(story, number));
  }
  return [...lines, finalisation(story)];
}

/** The same for a story whose loop is not over: it goes on where it stands, and starts nothing while a person is asked. */
export function dryRunFrom(story: Named, policy: Limited, state: LoopState): string[] {
  const done = roundsDone(state);
  switch (state.stage) {
    case "ended":
      return [];
    case "waiting-for-human": {
      const after = done === 0 ? "" : ` after round ${done}`;
      const ways = `anneal ${state.options.join(" | ")} story:${story.id}`;
      const why = WAITS[state.reason];
      return [
        `[DRY-RUN] Story ${story.id} waits for a person${after} (${why}); nothing starts before a person decides with: ${ways}`,
      ];
    }
    case "opening-pr":
    case "awaiting-feedback":
    case "merging":
      return [finalisation(story)];
    case "committing":
      if (state.of === "documents") return [finalisation(story)];
      return rest(story, policy, state);
    case "implementing":
      return [building(story), ...rest(story, policy, state)];
    case "fixing":
      return [...(done === 0 ? [] : [fixer(story, done)]), ...rest(story, policy, state)];
    case "validating":
    case "reviewing":
      return rest(story, policy, state);
  }
}

export function building(story: Named): string {
  return `[DRY-RUN] Would build Story ${story.id} on ${storyBranch(story)}`;
}

/** The reviews that are left, with a fix after each that another one follows. */
function rest(story: Named, policy: Limited, state: LoopState): string[] {
  const last = lastRound(policy, state);
  const lines: string[] = [];
  for (let round = roundsDone(state) + 1; round <= last; round++) {
    lines.push(reviewer(story, round));
    if (round < last) lines.push(fixer(story, round));
  }
  return [...lines, finalisation(story)];
}

/** A fix that no review could follow is not made where that is the hard limit. */
function hardLimit({ reviews, fixes }: Policy["limits"], left: number): number {
  return left < reviews ? left : fixes + 1;
}

function reviewer({ id }: Named, round: number): string {
  return `[DRY-RUN] Would spawn epic-reviewer for Story ${id} round ${round}`;
}

function fixer({ id }: Named, round: number): string {
  return `[DRY-RUN] Would spawn epic-fixer for Story ${id} round ${round}`;
}

function finalisation(story: Named): string {
  return `[DRY-RUN] Would commit and open a pull request for Story ${story.id} from ${storyBranch(story)}`;
}
