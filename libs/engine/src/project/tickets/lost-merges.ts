import type { Repo } from "@anneal/adapters/git";
import { epicBranch, ticketBranch } from "@anneal/core/epics";
import { UsageError } from "../../errors.ts";
import { isMissing, isPartOf, mergeWords, some, wasHeldBy } from "../../part-of.ts";
import { commitOf } from "./commit-of.ts";
import type { EpicAccount, EpicLog, TicketMerge } from "./log.ts";

/** What an epic branch does not hold any more of what was merged into it; `gone` where there is no such branch. */
export type Lost = { commits: ReadonlySet<string>; by: LostBy } | "gone";

/**
 * `reset`: the branch has nothing but tickets and merges, so that what is missing can be merged again. `hand`: it has commits of people,
 * or was rewritten by them. Only they know whether something is there in another form, or was taken out on purpose.
 */
type LostBy = "reset" | "hand";

/** Finds what an epic branch has lost since somebody put it back. Answers for where a branch stands are kept. */
export function lostMerges(repo: Repo, log: Pick<EpicLog, "merged">) {
  const known = new Map<string, Lost>();
  return async (epicId: string): Promise<Lost> => {
    const { isWhole: _, ...merges } = log.merged(epicId);
    const { commits, listed, head } = merges;
    if (commits.size === 0) return { commits, by: "reset" };
    const tip = await commitOf(repo, `refs/heads/${epicBranch(epicId)}`);
    if (tip === null) return "gone";
    const asked = [tip, head, ...commits, ...listed].join(" ");
    const lost = known.get(asked) ?? (await lostOf(repo, { ...merges, tip }));
    known.set(asked, lost);
    return lost;
  };
}

interface Merges {
  commits: ReadonlySet<string>;
  /** Also those that are yet to be merged. */
  listed: ReadonlySet<string>;
  /** In the order in which they were made. */
  made: readonly TicketMerge[];
  /** Where the work of each begins, as far as that is known. */
  since: ReadonlyMap<string, string | undefined>;
  /** What the last of them made of the branch. */
  head: string | null;
}

/**
 * A branch that has none of the tickets' own commits was rewritten: it has lost only what it certainly has nothing of, since a squash,
 * also one with changes of its own, is the person's word for it.
 */
async function lostOf(repo: Repo, merges: Merges & { tip: string }): Promise<Lost> {
  const { listed, since, head, tip } = merges;
  const lost = new Set<string>();
  if (head !== null && (await wasHeldBy(repo, head, tip))) return { commits: lost, by: "reset" };
  // Whatever people did before, nobody has done anything since but to put it back.
  if (head !== null && (await isPartOf(repo, tip, head)))
    return { commits: await madeSince(repo, merges), by: "reset" };
  const isRewritten = !(await some(listed, (commit) => isPartOf(repo, commit, tip)));
  for (const commit of await unsettled(repo, merges)) {
    const own = { since: since.get(commit) };
    const isLost = isRewritten ? await isMissing(repo, commit, tip, own) : !(await wasHeldBy(repo, commit, tip));
    if (isLost) lost.add(commit);
  }
  const isPlain = lost.size === 0 || (head !== null && (await isOfTickets(repo, { listed, head, tip })));
  return { commits: lost, by: isPlain ? "reset" : "hand" };
}

/** What was merged on top of where the branch is now. */
async function madeSince(repo: Repo, { commits, made, tip }: Merges & { tip: string }): Promise<Set<string>> {
  const since = new Set<string>();
  for (const { commit, head } of made) {
    if (commits.has(commit) && head !== tip && (await isPartOf(repo, tip, head))) since.add(commit);
  }
  return since;
}

/** What was merged after the last merge that the branch still has. At that one, all that was merged before was looked at. */
async function unsettled(repo: Repo, { commits, made, tip }: Merges & { tip: string }): Promise<string[]> {
  for (const [at, { head }] of [...made.entries()].reverse()) {
    if (!(await isPartOf(repo, head, tip))) continue;
    const later = new Set(made.slice(at + 1).map(({ commit }) => commit));
    return [...commits].filter((commit) => later.has(commit));
  }
  return [...commits];
}

/** Whether a branch has nothing since it was last as we left it but commits of the tickets, and merges. */
async function isOfTickets(repo: Repo, { listed, head, tip }: { listed: Iterable<string>; head: string; tip: string }) {
  const met = await repo.mergeBase(head, tip).catch(() => null);
  if (met === null) return false;
  const own = (await repo.historySince(met, tip)).filter(({ isMerge }) => !isMerge);
  return !(await some(own, async ({ id }) => !(await some(listed, (commit) => isPartOf(repo, id, commit)))));
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
  const advice = `git branch ${branch} COMMIT makes it anew where its work is`;
  throw new UsageError(`${branch} is gone, and ${head.slice(0, 12)}, where it was, is not here any more: ${advice}`);
}

/** What is told of tickets that were merged in vain. */
export function lostText(ids: readonly string[], branch: string): string {
  const [are, them] = ids.length === 1 ? ["is", "it"] : ["are", "them"];
  return `${ids.join(", ")} ${are} not part of ${branch} any more: somebody has put it back or deleted it after it took ${them} in`;
}

/** The command that merges them again: what waits for a person is only sent on by one of the two. */
function againText(id: string, { waits }: { waits: boolean }): string {
  return `anneal epic ${waits ? "resume" : "run"} ${id} merges again`;
}

/** What is told where people have worked on the branch: what is missing may be meant, and to merge it again would undo that. */
export function askedText(ids: readonly string[], branch: string, words: string): string {
  const each = (how: string) => ids.map((id) => `${how} ${ticketBranch(id)}`).join(" && ");
  const ways = `there, ${each(words)} brings it back, and ${each(`${words} -s ours`)} says that it is meant`;
  return `${ids.join(", ")} may be missing in ${branch}, on which somebody has worked since it was merged: look, and ${ways}`;
}

/** What is told of an epic that has lost merges, and what to do about it. */
export async function lostLine(
  repo: Repo,
  id: string,
  { lost, isAsked, waits, progress }: EpicAccount,
): Promise<string> {
  const branch = epicBranch(id);
  if (!isAsked) return `${lostText(lost, branch)}; ${againText(id, { waits })}`;
  // Every ticket begins at the baseline.
  const asked = askedText(lost, branch, await mergeWords(repo, progress.baselineCommit, `refs/heads/${branch}`));
  return waits ? `${asked}; then anneal epic resume ${id}` : asked;
}
