import {
  baseOf,
  type EpicProgress,
  epicBranch,
  joinMessage,
  problemText,
  type TicketItem,
  ticketBranch,
} from "@anneal/core/epics";
import { GitError, type Repo } from "@anneal/git";
import { UsageError } from "../../errors/errors.ts";
import type { ProjectStore } from "../../history/store-log.ts";
import { gitDate } from "../../work/git-date.ts";
import { isPartOf } from "../../work/part-of.ts";
import { defaultBranchOf } from "../../workspaces/default-branch.ts";
import { commitOf } from "./commit-of.ts";
import type { ReadableEpic } from "./epic-index.ts";
import { baselineIn, type EpicLog } from "./log.ts";
import { epicBranchStart } from "./lost-merges.ts";
import { refuseUnusable } from "./recorded.ts";

export interface TicketStart {
  /** Where the ticket's branch starts. */
  base: string;
  /** Where the epic started. */
  baseline: string;
}

interface EpicContext {
  main: Repo;
  store: ProjectStore | null;
  found: ReadableEpic;
  /** The ref that a person wants the epic to start from. */
  wanted: string | undefined;
}

interface StartArgs extends EpicContext {
  log: EpicLog;
}

/** The commit that a new loop of a ticket starts from; the epic branch is made where there is none yet. */
export async function startTicket(args: StartArgs, ticket: TicketItem): Promise<TicketStart> {
  const { main, log, found } = args;
  await refuseUnusable(main, log, found);
  const baseline = await startEpic(args);
  return { base: await baseFor(main, log.progress(found, baseline), ticket), baseline };
}

/** The commit that a ticket starts from, once everything that it depends on is completed. */
export async function baseFor(main: Repo, progress: EpicProgress, ticket: TicketItem): Promise<string> {
  const base = baseOf(progress, ticket);
  switch (base.kind) {
    case "not-ready":
      throw new UsageError(`ticket ${ticket.id} cannot start: ${base.because}`);
    case "baseline":
      return base.commit;
    case "stacked":
      return await finalCommit(main, base);
    case "merged":
      return await joined(main, ticket, base.parents, dateOf(progress, base.parents));
  }
}

/** Why a ticket whose dependencies are all completed cannot start as it is, or null where it can. Nothing is changed. */
export async function hindranceOf(main: Repo, progress: EpicProgress, ticket: TicketItem): Promise<string | null> {
  const base = baseOf(progress, ticket);
  if (base.kind === "not-ready") return base.because;
  if (base.kind !== "merged") return null;
  try {
    await joined(main, ticket, base.parents, dateOf(progress, base.parents));
    return null;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

/** Where the epic starts. The log knows; before that an epic-state.json of an earlier run, then the epic branch. */
export async function baselineOf({ main, store, found, wanted }: EpicContext): Promise<string> {
  const { epic } = found;
  const known = baselineIn(store, epic) ?? (await recordedBaseline(main, found));
  const begun = known ?? (await commitOf(main, `refs/heads/${epicBranch(epic.id)}`));
  const baseline = begun ?? (await wantedStart({ main, store }, wanted));
  if (wanted === undefined || (await wantedStart({ main, store }, wanted)) === baseline) return baseline;
  throw new UsageError(`epic ${epic.id} has already started from ${baseline.slice(0, 12)}: leave out --base`);
}

/** Makes the epic branch before anything else, so that all tickets start from one commit, however they begin. */
async function startEpic(args: StartArgs): Promise<string> {
  const { main, found } = args;
  const branch = epicBranch(found.epic.id);
  const baseline = await baselineOf(args);
  if ((await commitOf(main, `refs/heads/${branch}`)) !== null) return baseline;
  try {
    await main.updateBranch({ branch, from: null, to: await epicBranchStart(main, args.log, found.epic.id, baseline) });
    return baseline;
  } catch (error) {
    // Another ticket was faster, and the default branch has moved in between.
    if (!(error instanceof GitError) || error.kind !== "moved") throw error;
    return await baselineOf(args);
  }
}

async function recordedBaseline(main: Repo, { state, stateAt }: ReadableEpic): Promise<string | null> {
  const recorded = state?.baseline_commit ?? "";
  if (recorded === "") return null;
  const commit = await commitOf(main, recorded);
  if (commit !== null) return commit;
  const message = `baseline_commit ${recorded} is not a commit of this repository: correct it`;
  throw new UsageError(problemText({ ...stateAt(["baseline_commit"]), message }));
}

async function wantedStart(
  { main, store }: Pick<EpicContext, "main" | "store">,
  wanted: string | undefined,
): Promise<string> {
  const ref = wanted ?? (await defaultBranchOf({ repo: main, store }));
  const commit = await commitOf(main, ref);
  if (commit === null)
    throw new UsageError(`the epic cannot start from ${ref}, which does not exist: name a branch with --base`);
  return commit;
}

async function finalCommit(main: Repo, { ticket, commit }: { ticket: string; commit: string }): Promise<string> {
  const found = await commitOf(main, commit);
  if (found !== null) return found;
  throw new UsageError(`ticket ${ticket} is completed at ${commit}, which is not a commit of this repository`);
}

/**
 * The dependencies merged in the order of their names; the same commit whenever it is made.
 * Where they conflict, a branch of the ticket that a person made with all of them in it is taken instead.
 */
async function joined(
  main: Repo,
  { id }: TicketItem,
  parents: readonly { ticket: string; commit: string }[],
  date: string,
): Promise<string> {
  const commits: string[] = [];
  for (const parent of parents) commits.push(await finalCommit(main, parent));
  const names = parents.map(({ ticket }) => ticket);
  const result = await main.joinCommits({ commits, message: joinMessage(id, names), date });
  if (!("conflicts" in result)) return result.commit;
  const branch = ticketBranch(id);
  const own = await commitOf(main, `refs/heads/${branch}`);
  if (own !== null && (await holdsAll(main, own, commits))) return own;
  throw new UsageError(
    `ticket ${id} builds on ${names.join(" and ")}, which conflict in ${result.conflicts.join(", ")}: ` +
      `merge ${names.map(ticketBranch).join(" and ")} into a new branch ${branch} by hand, then run the ticket again`,
  );
}

async function holdsAll(main: Repo, tip: string, commits: readonly string[]): Promise<boolean> {
  for (const commit of commits) if (!(await isPartOf(main, commit, tip))) return false;
  return true;
}

/** When the last of them was completed. */
function dateOf({ loops, startedAt }: EpicProgress, parents: readonly { ticket: string }[]): string {
  return gitDate(Math.max(...parents.map(({ ticket }) => loops.get(ticket)?.state.lastAt ?? startedAt)));
}
