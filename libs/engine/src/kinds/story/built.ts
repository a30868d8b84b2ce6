import type { StoryFile } from "@anneal/adapters/stories";
import { type StoryStatus, storyBranch } from "@anneal/core/stories";
import { loopsOf, startOf } from "../../history/loop-history.ts";
import type { ProjectStore } from "../../history/store-log.ts";
import type { LoopSummary } from "../../history/summary.ts";
import { isEarned } from "../../items/by-hand.ts";
import type { LogLoopRow } from "../../log/index.ts";
import { knownStories } from "./known.ts";

/** What a story says that was never run, or whose status is lost. */
const UNSAID: readonly StoryStatus[] = ["pending", "in-progress", "paused"];

type Row = LogLoopRow<LoopSummary>;

/**
 * The loop that built what a story asks for, though its file does not say so: a status goes with `git stash` and `git checkout`,
 * and nobody asks for a second pull request by that. Null where it asks for something else by now.
 */
export function builtAlready(store: ProjectStore | null, file: StoryFile): Row | null {
  const { id, status = "pending" } = file.story;
  const last = store === null ? undefined : loopsOf(store, { kind: "story", id }).at(-1);
  if (store === null || last?.stage !== "ended" || !isEarned(last)) return null;
  if (!UNSAID.some((word) => word === status)) return null;
  const { asks } = startOf(store, last.loop);
  const isSame = asks === undefined ? last.summary.branch === storyBranch(file.story) : asks === file.asks;
  return isSame ? last : null;
}

/** What is known of it, and how it is built anew on purpose. */
export function builtText({ file, story }: StoryFile, { summary: { outcome, branch, pr } }: Row): string {
  const where = pr === undefined || pr === null ? `on ${branch}` : `on ${branch}, pull request ${pr.number}`;
  const anew = "to rebuild it, change its text, or give it another `branch`";
  return `${file}: story ${story.id} is done: its last loop ended ${outcome} ${where}; ${anew}`;
}

/** Every story whose status is lost, with the loop that knows it. */
export async function lostStatuses(root: string, store: ProjectStore): Promise<{ file: StoryFile; row: Row }[]> {
  const known = await knownStories(root);
  return known.flatMap(({ story: file }) => {
    const row = file === null ? null : builtAlready(store, file);
    return file === null || row === null ? [] : [{ file, row }];
  });
}
