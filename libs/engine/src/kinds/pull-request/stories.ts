import { documentsBy } from "@anneal/core";
import { folderOf, keptRef } from "../../history/item-key.ts";
import { historyOf, loopsOf } from "../../history/loop-history.ts";
import type { ProjectParts } from "../../items/prepare.ts";
import type { Delivery } from "../../work/loop-work.ts";
import { type LoopJob, pullRequestDelivery } from "./pull-requests.ts";

type StoryJob = Pick<LoopJob, "loopId" | "branch" | "policy" | "item"> & { into: string };

/** Delivers stories through pull requests; a project without a forge keeps the branch ready. */
export function storyDelivery(parts: ProjectParts, job: StoryJob): Delivery {
  const { store } = parts;
  const item = { kind: "story", id: job.item.id } as const;
  const ours = loopsOf(store, item).flatMap((row, at) => [
    keptRef(folderOf(item), at + 1),
    ...documentsBy(historyOf(store, row).state).map(({ commit }) => commit),
  ]);
  const delivery = pullRequestDelivery(parts, { ...job, ours });
  return {
    ...delivery,
    async "opening-pr"(state, signal, turn) {
      const event = await delivery["opening-pr"](state, signal, turn);
      if (event.type !== "delivery-skipped") return event;
      const reason = `there is no forge to open a pull request on; the branch ${job.branch} is ready for ${job.into}`;
      return { ...event, reason };
    },
  };
}
