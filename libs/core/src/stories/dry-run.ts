import type { Policy, Story } from "@anneal/types";
import { storyBranch } from "./branch.ts";
import { decide } from "./decision.ts";

/**
 * What a run of a story would start, as seed 003 prints it, on to the finalisation.
 * `answers` are the findings that must be fixed, round by round; a round without one is clean. Without any answers it
 * is the longest run that needs no person. Rounds are numbered on from those that the story had.
 */
export function dryRun(
  story: Pick<Story, "id" | "title" | "branch">,
  { limits }: Pick<Policy, "limits">,
  answers?: readonly number[],
  earlierRounds = 0,
): string[] {
  const { id } = story;
  const lines: string[] = [];
  const would = (what: string) => lines.push(`[DRY-RUN] Would ${what}`);
  for (let round = 1; round <= limits.reviews; round++) {
    const number = earlierRounds + round;
    would(`spawn epic-reviewer for Story ${id} round ${number}`);
    const mustFix = answers === undefined ? 1 : (answers[round - 1] ?? 0);
    const decision = decide({ mustFix, round, limit: limits.fixes + 1 });
    if (decision === "escalate" && answers !== undefined) would(`ask a person about Story ${id} after round ${number}`);
    if (decision !== "fix") break;
    would(`spawn epic-fixer for Story ${id} round ${number}`);
  }
  would(`commit and open a pull request for Story ${id} from ${storyBranch(story)}`);
  return lines;
}
