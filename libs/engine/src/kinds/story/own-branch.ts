import { type FileProblem, problemText, type StoryFile } from "@anneal/adapters/stories";
import { isStoryDone, storyBranch } from "@anneal/core/stories";
import { UsageError } from "../../errors/errors.ts";
import { keyOf } from "../../history/item-key.ts";
import { branchConflicts } from "../../workspaces/branch-conflicts.ts";
import { takenBranches, type WhyTaken } from "../feature/taking-branches.ts";

type Place = Parameters<typeof takenBranches>[0];

/** Stories whose branch cannot be their own, each at its line; `base` is the name of the branch that they are compared with. */
export async function branchProblems(
  place: Place,
  stories: readonly StoryFile[],
  base?: string,
): Promise<FileProblem[]> {
  const open = stories.filter(({ story }) => !isStoryDone(story.status));
  const whyTaken = await takenBranches(place);
  const wanted = open
    .filter(({ story }) => story.status !== "skipped")
    .map(({ file, story, lines }) => ({ branch: storyBranch(story), file, line: lines.branch }));
  return [
    ...open.flatMap((one) => problemOf(one, whyTaken, base) ?? []),
    ...(await branchConflicts(place.repo, wanted)),
  ];
}

/** The same for one story that is about to begin. */
export async function refuseTaken(place: Place, file: StoryFile, base: string): Promise<void> {
  const [problem] = await branchProblems(place, [file], base);
  if (problem !== undefined) throw new UsageError(problemText(problem));
}

function problemOf(
  { file, story, lines }: StoryFile,
  whyTaken: WhyTaken,
  base: string | undefined,
): FileProblem | null {
  const branch = storyBranch(story);
  const why =
    whyTaken(branch, keyOf({ kind: "story", id: story.id })) ??
    (branch.toLowerCase() === base?.toLowerCase() ? `${branch}, its own base` : null);
  if (why === null) return null;
  return {
    file,
    line: lines.branch,
    message: `story ${story.id} would commit to ${why}: give the story another \`branch\``,
  };
}
