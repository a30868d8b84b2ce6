import type { Repo } from "@anneal/adapters/git";
import { epicBranch } from "@anneal/core/epics";
import { UsageError } from "../../errors.ts";
import { isMissing, wasHeldBy } from "../../part-of.ts";
import { commitOf } from "./commit-of.ts";
import type { EpicLog } from "./log.ts";

/** Commits that were merged into an epic branch which does not hold them any more; `gone` where there is no such branch. */
export type Lost = ReadonlySet<string> | "gone";

/**
 * Finds what an epic branch has lost since somebody put it back. A branch that was rewritten has lost only what it certainly has
 * nothing of: a squash of all, also one that was changed, is the person's word for it. Answers for where a branch stands are kept.
 */
export function lostMerges(repo: Repo, log: Pick<EpicLog, "merged">) {
  const known = new Map<string, ReadonlySet<string>>();
  return async (epicId: string): Promise<Lost> => {
    const { commits, head } = log.merged(epicId);
    if (commits.size === 0) return commits;
    const tip = await commitOf(repo, `refs/heads/${epicBranch(epicId)}`);
    if (tip === null) return "gone";
    const asked = [tip, head, ...commits].join(" ");
    const lost = known.get(asked) ?? (await lostOf(repo, { commits, head, tip }));
    known.set(asked, lost);
    return lost;
  };
}

interface Merges {
  commits: ReadonlySet<string>;
  /** What the last of them made of the branch. */
  head: string | null;
}

async function lostOf(repo: Repo, { commits, head, tip }: Merges & { tip: string }): Promise<ReadonlySet<string>> {
  const lost = new Set<string>();
  if (head !== null && (await wasHeldBy(repo, head, tip))) return lost;
  for (const commit of commits) if (await isMissing(repo, commit, tip)) lost.add(commit);
  return lost;
}

export type LostMerges = ReturnType<typeof lostMerges>;

/** Where an epic branch that is not there is made: at the baseline, or where it was once all was in it, to go on from there. */
export async function branchStart(
  repo: Repo,
  log: Pick<EpicLog, "merged">,
  epicId: string,
  baseline: string,
): Promise<string> {
  const { head, isWhole } = log.merged(epicId);
  if (head === null || !isWhole) return baseline;
  if ((await commitOf(repo, head)) !== null) return head;
  const branch = epicBranch(epicId);
  const advice = `git branch ${branch} COMMIT makes it anew where its work is`;
  throw new UsageError(`${branch} is gone, and ${head.slice(0, 12)}, where it was, is not here any more: ${advice}`);
}

/** What is told of tickets that were merged in vain. */
export function lostText(ids: readonly string[], branch: string): string {
  const [are, them] = ids.length === 1 ? ["is", "it"] : ["are", "them"];
  return `${ids.join(", ")} ${are} not part of ${branch} any more: somebody has put it back or deleted it after it took ${them} in`;
}

/** The command that merges them again: what waits for a person is only sent on by one of the two. */
export function againText(id: string, { waits }: { waits: boolean }): string {
  return `anneal epic ${waits ? "resume" : "run"} ${id} merges again`;
}
