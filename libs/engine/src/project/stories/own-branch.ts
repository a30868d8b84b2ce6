import { type Problem, problemText, type StoryFile } from "@anneal/adapters/stories";
import { isStoryDone, storyBranch } from "@anneal/core/stories";
import { UsageError } from "../../errors.ts";
import { keyOf } from "../item-key.ts";
import { takenBranches, type WhyTaken } from "../taking-branches.ts";

type Place = Parameters<typeof takenBranches>[0];

/** Stories whose branch cannot be their own, each at its line; `base` is the name of the branch that they are compared with. */
export async function branchProblems(place: Place, stories: readonly StoryFile[], base?: string): Promise<Problem[]> {
  const whyTaken = await takenBranches(place);
  return stories.flatMap((one) => (isStoryDone(one.story.status) ? [] : (problemOf(one, whyTaken, base) ?? [])));
}

/** The same for one story that is about to begin. */
export async function refuseTaken(place: Place, file: StoryFile, base: string): Promise<void> {
  const problem = problemOf(file, await takenBranches(place), base);
  if (problem !== null) throw new UsageError(problemText(problem));
}

function problemOf({ file, story, lines }: StoryFile, whyTaken: WhyTaken, base: string | undefined): Problem | null {
  const branch = storyBranch(story);
  const why =
    whyTaken(branch, keyOf({ kind: "story", id: story.id })) ??
    (branch.toLowerCase() === base?.toLowerCase() ? `${branch}, which it is compared with` : null);
  if (why === null) return null;
  return { file, line: lines.branch, message: `story ${story.id} wants to work on ${why}: give it another \`branch\`` };
}
