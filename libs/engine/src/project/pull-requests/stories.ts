import type { StoryFile } from "@anneal/adapters/stories";
import type { Policy } from "@anneal/types";
import { keptRef } from "../free-branch.ts";
import { folderOf } from "../item-key.ts";
import { loopsOf } from "../loop-history.ts";
import type { ProjectParts } from "../prepare.ts";
import type { StoryOptions } from "../stories/stories.ts";
import { openPullRequest } from "./open.ts";

/** Opens the pull requests of stories; a project without a forge keeps the branch ready. */
export function storyPullRequests(
  parts: ProjectParts,
  policy: Policy,
  { text }: Pick<StoryFile, "text">,
): NonNullable<StoryOptions["openPr"]> {
  return async ({ story: { id, title }, branch, into, commit, state }, signal) => {
    if (state.stage !== "opening-pr") throw new TypeError(`a pull request is not opened while ${state.stage}`);
    const item = { kind: "story", id } as const;
    const ours = loopsOf(parts.store, item).map((_, at) => keptRef(folderOf(item), at + 1));
    const about = { id, title, description: text.trim() };
    // A story has no loop of its own name here; when it was begun tells its loops apart.
    const job = { name: `story:${id}@${state.startedAt}`, branch, into, commit, policy, item: about, ours };
    const event = await openPullRequest(parts, job, state, signal);
    if (event.type !== "delivery-skipped") return event;
    return {
      ...event,
      reason: `there is no forge to open a pull request on; the branch ${branch} is ready for ${into}`,
    };
  };
}
