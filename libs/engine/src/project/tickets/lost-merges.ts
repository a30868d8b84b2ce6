import type { Repo } from "@anneal/adapters/git";
import { epicBranch } from "@anneal/core/epics";
import { UsageError } from "../../errors.ts";
import { isMissing, isPartOf, wasHeldBy } from "../../part-of.ts";
import { commitOf } from "./commit-of.ts";
import type { EpicLog } from "./log.ts";

/** Commits that were merged into an epic branch which does not hold them any more; `gone` where there is no such branch. */
export type Lost = ReadonlySet<string> | "gone";

/** Finds what an epic branch has lost since somebody put it back. Answers for where a branch stands are kept. */
export function lostMerges(repo: Repo, log: Pick<EpicLog, "merged">) {
  const known = new Map<string, ReadonlySet<string>>();
  return async (epicId: string): Promise<Lost> => {
    const { commits, listed, head } = log.merged(epicId);
    if (commits.size === 0) return commits;
    const tip = await commitOf(repo, `refs/heads/${epicBranch(epicId)}`);
    if (tip === null) return "gone";
    const asked = [tip, head, ...commits, ...listed].join(" ");
    const lost = known.get(asked) ?? (await lostOf(repo, { commits, listed, head, tip }));
    known.set(asked, lost);
    return lost;
  };
}

interface Merges {
  commits: ReadonlySet<string>;
  /** Also those that are yet to be merged. */
  listed: ReadonlySet<string>;
  /** What the last of them made of the branch. */
  head: string | null;
}

/**
 * A branch that has none of the tickets' own commits was rewritten: it has lost only what it certainly has nothing of, since a squash,
 * also one with changes of its own, is the person's word for it.
 */
async function lostOf(repo: Repo, { commits, listed, head, tip }: Merges & { tip: string }): Promise<Set<string>> {
  const lost = new Set<string>();
  if (head !== null && (await wasHeldBy(repo, head, tip))) return lost;
  const isRewritten = !(await some(listed, (commit) => isPartOf(repo, commit, tip)));
  for (const commit of commits) {
    const isLost = isRewritten ? await isMissing(repo, commit, tip) : !(await wasHeldBy(repo, commit, tip));
    if (isLost) lost.add(commit);
  }
  return lost;
}

async function some(commits: Iterable<string>, is: (commit: string) => Promise<boolean>): Promise<boolean> {
  for (const commit of commits) if (await is(commit)) return true;
  return false;
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
