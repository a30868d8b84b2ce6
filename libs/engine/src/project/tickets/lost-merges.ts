import type { Repo } from "@anneal/adapters/git";
import { epicBranch } from "@anneal/core/epics";
import { isHeldBy } from "../../part-of.ts";
import { commitOf } from "./commit-of.ts";
import type { EpicLog } from "./log.ts";

/**
 * Finds the commits that were merged into an epic branch which does not hold them any more, since somebody has put it back.
 * A branch that is gone has lost nothing: it is deleted once it is merged on. Answers for where a branch stands are kept.
 */
export function lostMerges(repo: Repo, log: Pick<EpicLog, "merged">) {
  const held = new Map<string, Map<string, boolean>>();
  return async (epicId: string): Promise<ReadonlySet<string>> => {
    const merged = log.merged(epicId);
    const tip = merged.size === 0 ? null : await commitOf(repo, `refs/heads/${epicBranch(epicId)}`);
    const lost = new Set<string>();
    if (tip === null) return lost;
    const known = held.get(tip) ?? new Map<string, boolean>();
    held.set(tip, known);
    for (const commit of merged) {
      const isHeld = known.get(commit) ?? (await isHeldBy(repo, commit, tip));
      known.set(commit, isHeld);
      if (!isHeld) lost.add(commit);
    }
    return lost;
  };
}

export type LostMerges = ReturnType<typeof lostMerges>;

/** What is told of tickets that were merged in vain. */
export function lostText(ids: readonly string[], branch: string): string {
  const [are, them] = ids.length === 1 ? ["is", "it"] : ["are", "them"];
  return `${ids.join(", ")} ${are} not part of ${branch} any more: somebody has put it back after it took ${them} in`;
}
