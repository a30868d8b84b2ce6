import type { StoryFile } from "@anneal/adapters/stories";
import { roundsDone } from "@anneal/core";
import { storyBranch } from "@anneal/core/stories";
import type { LoopState, Policy } from "@anneal/types";
import { UsageError } from "../../errors/errors.ts";
import { historyOf, loopsOf } from "../../history/loop-history.ts";
import type { ProjectStore } from "../../history/store-log.ts";

/** The rounds that a story had before a loop; nothing stands for none. */
export type EarlierRounds = Pick<LoopState, "droppedRounds"> & { earlierRounds?: number };

/**
 * Rounds are numbered on over all loops of a story, so that no document replaces another. Work that is reviewed as it
 * stands also goes on with the rounds that it had; work that is built anew has all of its own.
 */
export function earlierRoundsOf(
  store: ProjectStore | null,
  { file, story }: StoryFile,
  limits: Policy["limits"],
): EarlierRounds {
  const { id, status } = story;
  const last = store === null ? undefined : loopsOf(store, { kind: "story", id }).at(-1);
  if (store === null || last === undefined) return {};
  const { state } = historyOf(store, last);
  const rounds = roundsDone(state);
  const dropped = status === "review" ? (state.droppedRounds ?? 0) : rounds;
  const counted = {
    ...(rounds === 0 ? {} : { earlierRounds: rounds }),
    ...(dropped === 0 ? {} : { droppedRounds: dropped }),
  };
  if (limits.hardReviews === undefined || rounds - dropped < limits.hardReviews) return counted;
  const ways = `finish it by hand on ${storyBranch(story)} and write \`status: done\`, or \`status: pending\` to rebuild it`;
  throw new UsageError(
    `${file}: story ${id} has had ${rounds - dropped} rounds of review, which is the limit: ${ways}`,
  );
}
