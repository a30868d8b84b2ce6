import type { Repo } from "@anneal/adapters/git";
import { epicBranch } from "@anneal/core/epics";
import { wasHeldBy } from "../../part-of.ts";
import { commitOf } from "./commit-of.ts";
import type { EpicLog } from "./log.ts";

/** Commits that were merged into an epic branch which does not hold them any more; `gone` where there is no such branch. */
export type Lost = ReadonlySet<string> | "gone";

/** Finds what an epic branch has lost since somebody put it back. Answers for where a branch stands are kept. */
export function lostMerges(repo: Repo, log: Pick<EpicLog, "merged">) {
  const held = new Map<string, Map<string, boolean>>();
  return async (epicId: string): Promise<Lost> => {
    const merged = log.merged(epicId);
    const lost = new Set<string>();
    if (merged.size === 0) return lost;
    const tip = await commitOf(repo, `refs/heads/${epicBranch(epicId)}`);
    if (tip === null) return "gone";
    const known = held.get(tip) ?? new Map<string, boolean>();
    held.set(tip, known);
    for (const commit of merged) {
      const isHeld = known.get(commit) ?? (await wasHeldBy(repo, commit, tip));
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
  return `${ids.join(", ")} ${are} not part of ${branch} any more: somebody has put it back or deleted it after it took ${them} in`;
}

/** The command that merges them again: what waits for a person is only sent on by one of the two. */
export function againText(id: string, { waits }: { waits: boolean }): string {
  return `anneal epic ${waits ? "resume" : "run"} ${id} merges again`;
}
