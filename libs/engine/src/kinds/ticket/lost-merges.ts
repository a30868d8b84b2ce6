import { epicBranch, ticketBranch } from "@anneal/core/epics";
import type { Repo } from "@anneal/git";
import { UsageError } from "../../errors/errors.ts";
import { isPartOf } from "../../work/part-of.ts";
import { commitOf } from "./commit-of.ts";
import type { EpicAccount, EpicLog } from "./log.ts";

/** What an epic branch does not hold any more of what was merged into it; `gone` where there is no such branch. */
export type Lost = { commits: ReadonlySet<string>; by: LostBy } | "gone";

/**
 * `reset`: the branch was put back to where it was before, so that what is missing can be merged again. `hand`: people committed on it or
 * rewrote it. Only they know whether something is there in another form, or was taken out on purpose.
 */
type LostBy = "reset" | "hand";

/** Finds what an epic branch has lost. Answers for where a branch stands are kept. */
export function lostMerges(repo: Repo, log: Pick<EpicLog, "merged">) {
  const known = new Map<string, Lost>();
  return async (epicId: string): Promise<Lost> => {
    const { commits, head } = log.merged(epicId);
    if (commits.size === 0) return { commits, by: "reset" };
    const tip = await commitOf(repo, `refs/heads/${epicBranch(epicId)}`);
    if (tip === null) return "gone";
    const asked = [tip, head, ...commits].join(" ");
    const lost = known.get(asked) ?? (await lostOf(repo, { commits, head, tip }));
    known.set(asked, lost);
    return lost;
  };
}

async function lostOf(
  repo: Repo,
  { commits, head, tip }: { commits: ReadonlySet<string>; head: string | null; tip: string },
): Promise<Lost> {
  const lost = new Set<string>();
  if (head !== null && (await isPartOf(repo, head, tip))) return { commits: lost, by: "reset" };
  for (const commit of commits) if (!(await isPartOf(repo, commit, tip))) lost.add(commit);
  const isPutBack = head !== null && (await isPartOf(repo, tip, head));
  return { commits: lost, by: lost.size === 0 || isPutBack ? "reset" : "hand" };
}

export type LostMerges = ReturnType<typeof lostMerges>;

/** Where an epic branch that is not there is made: at the baseline, or where it was once all was in it, to go on from there. */
export async function epicBranchStart(
  repo: Repo,
  log: Pick<EpicLog, "merged">,
  epicId: string,
  baseline: string,
): Promise<string> {
  const { head, isWhole } = log.merged(epicId);
  if (head === null || !isWhole) return baseline;
  if ((await commitOf(repo, head)) !== null) return head;
  const branch = epicBranch(epicId);
  const advice = `create it again with git branch ${branch} COMMIT, at the commit that has its work`;
  throw new UsageError(
    `${branch} is gone, and ${head.slice(0, 12)}, its last commit, is not in this repository any more: ${advice}`,
  );
}

/** The message about tickets whose merges were lost. */
export function lostText(ids: readonly string[], branch: string): string {
  const [are, them] = ids.length === 1 ? ["is", "it"] : ["are", "them"];
  return `${ids.join(", ")} ${are} not in ${branch} any more: the branch was reset or deleted after ${them} had been merged`;
}

/** The command that merges them again: what waits for a person is only sent on by one of the two. */
function againText(id: string, { waits }: { waits: boolean }): string {
  return `anneal epic ${waits ? "resume" : "run"} ${id} merges what is missing`;
}

/** The message where people have worked on the branch: what is missing may be meant, and to merge it again would undo that. */
function askedText(ids: readonly string[], branch: string): string {
  const each = (how: string) => ids.map((id) => `${how} ${ticketBranch(id)}`).join(" && ");
  const ways = `there, ${each("git merge")} restores it, and ${each("git merge -s ours")} confirms that it stays out`;
  return `${ids.join(", ")} may be missing in ${branch}, which has new commits since the merge: check the branch; ${ways}`;
}

/** The message about an epic that has lost merges, and what to do about it. */
export function lostLine(id: string, { lost, isAsked, waits }: EpicAccount): string {
  const branch = epicBranch(id);
  if (!isAsked) return `${lostText(lost, branch)}; ${againText(id, { waits })}`;
  const asked = askedText(lost, branch);
  return waits ? `${asked}; then anneal epic resume ${id}` : asked;
}
