import type { FoundEpic } from "@anneal/adapters/epics";
import { wavesOf } from "@anneal/core";
import {
  allReviewReports,
  buildsOn,
  countedRevisions,
  type EpicProblem,
  type EpicStatus,
  epicBranch,
  epicStatus,
  problemText,
  ticketBranch,
  ticketProgress,
  unreviewedIn,
} from "@anneal/core/epics";
import { openRepo } from "@anneal/git";
import type { ReviewReport, TicketStatus } from "@anneal/types";
import { type Cast, checkCast } from "../../assemble.ts";
import { refuseForeignNames } from "../../cast/foreign-names.ts";
import { agentTermsOf } from "../../cast/settings.ts";
import { UsageError } from "../../errors/errors.ts";
import { keyOf } from "../../history/item-key.ts";
import type { ProjectReader } from "../../history/reader.ts";
import { castFor, castOfSettings } from "../../items/cast.ts";
import { policyOf } from "../../items/policy-of.ts";
import { settingsFor } from "../../items/prepare.ts";
import { type CallerLocation, fromTop } from "../../repository/linked-tree.ts";
import { refuseDamaged } from "../../repository/settings-damage.ts";
import { testCommandNote, testCommandProblem } from "../../repository/test-command.ts";
import { judgingSettings } from "../../review/judging-settings.ts";
import { branchConflicts } from "../../workspaces/branch-conflicts.ts";
import { epicIdOf, epicIndex, isRunnable, type ReadableEpic } from "./epic-index.ts";
import { foreignBranches } from "./foreign-branch.ts";
import { epicLog } from "./log.ts";
import { lostLine, lostMerges } from "./lost-merges.ts";
import { unusableRecords } from "./recorded.ts";
import { baselineOf, hindranceOf } from "./start.ts";
import { CHOICE } from "./tickets.ts";

/** What is known about an epic before anything runs, and while it does. */
export interface EpicPlan {
  id: string;
  key: string;
  title: string;
  file: string;
  branch: string;
  baseline: string;
  status: EpicStatus;
  /** In the order in which they are merged. */
  tickets: PlannedTicket[];
  /** Completed tickets that are not in the epic branch yet. */
  unmerged: string[];
  /** Why their merge waits for a person, and what to do about it. */
  conflict: string | null;
  /** That some of them were merged before somebody put the branch back or deleted it, and what to do about it. */
  lost: string | null;
  /** Whether a run would merge again what the branch has lost. */
  mergesAgain: boolean;
  /** Why tickets that have not begun would be refused: their branches hold commits of somebody else. */
  refused: string[];
  /** Nothing of it is merged where it fails. */
  rollsBack: boolean;
  notes: string[];
}

export interface PlannedTicket {
  id: string;
  key: string;
  title: string;
  branch: string;
  /** The tickets whose work it starts from, merged in this order; none for the baseline. */
  buildsOn: string[];
  dependsOn: string[];
  wave: number;
  critical: boolean;
  status: TicketStatus;
  phase: TicketStatus;
  /** Why it failed, is blocked, or cannot start though everything it depends on is completed. */
  reason: string | null;
  revisions: number;
  commit: string | null;
  /** Completed, but only according to epic-state.json. */
  unreviewed: boolean;
  report: ReviewReport | null;
}

export class NoSuchEpic extends UsageError {}

export type PlannedEpic = { ok: true; plan: EpicPlan } | { ok: false; problems: EpicProblem[] };

/** Reads the epic that a file, a folder or a name stands for, and says how it stands. Nothing is changed. */
export async function planEpic(
  reader: Pick<ProjectReader, "root" | "repo" | "store">,
  name: string,
  { caller, base }: { caller: CallerLocation; base?: string | undefined },
): Promise<PlannedEpic> {
  const found = named(await epicIndex(reader.root).all(), name, fromTop(caller, name));
  if (!isRunnable(found)) return { ok: false, problems: found.problems };
  const problems = await unusableRecords(reader.repo, epicLog(reader.store), found);
  if (problems.length > 0) return { ok: false, problems };
  const baseline = await baselineOf({ main: reader.repo, store: reader.store, found, wanted: base });
  return { ok: true, plan: await planned(reader, found, baseline) };
}

function named(all: readonly FoundEpic[], name: string, place: string | null): FoundEpic {
  const [only, ...more] = /\.ya?ml$/.test(name)
    ? all.filter(({ file }) => file === place)
    : all.filter(({ file }) => epicIdOf(file) === name || file.startsWith(`${place}/`));
  if (only === undefined)
    throw new NoSuchEpic(`${name} is not an epic of this project: epics are .epics/NAME/NAME.epic.yaml`);
  if (more.length === 0) return only;
  const files = [only, ...more].map(({ file }) => file);
  throw new UsageError(`${name} could be ${files.join(", ")}: name the file`);
}

async function planned(
  { store, repo }: Pick<ProjectReader, "store" | "repo">,
  found: ReadableEpic,
  baseline: string,
): Promise<EpicPlan> {
  const { epic, file, notes } = found;
  const log = epicLog(store);
  const account = log.account(found, await lostMerges(repo, log)(epic.id), baseline);
  const { progress, unmerged, lost, conflict } = account;
  const branch = epicBranch(epic.id);
  const standings = ticketProgress(progress);
  const unreviewed = new Set(unreviewedIn(progress));
  const byId = new Map(epic.tickets.map((ticket) => [ticket.id, ticket]));
  const tickets = wavesOf(epic.tickets).flatMap((wave, at) =>
    wave.flatMap((id): PlannedTicket[] => {
      const ticket = byId.get(id);
      const current = standings.get(id);
      if (ticket === undefined || current === undefined) return [];
      const loop = progress.loops.get(id);
      return [
        {
          id,
          key: keyOf({ kind: "ticket", id: `${epic.id}/${id}` }),
          title: ticket.title,
          branch: ticketBranch(id),
          buildsOn: buildsOn(epic, ticket),
          dependsOn: ticket.dependsOn,
          wave: at + 1,
          critical: ticket.critical,
          ...current,
          revisions: loop === undefined ? 0 : countedRevisions(loop.state),
          commit: loop?.state.head ?? null,
          unreviewed: unreviewed.has(id),
          report: loop === undefined ? null : (allReviewReports(id, loop).at(-1) ?? null),
        },
      ];
    }),
  );
  for (const one of tickets.filter(({ status }) => status === "queued")) {
    const ticket = byId.get(one.id);
    if (ticket !== undefined) one.reason = await hindranceOf(repo, progress, ticket);
  }
  return {
    id: epic.id,
    key: keyOf({ kind: "epic", id: epic.id }),
    title: epic.title,
    file,
    branch,
    baseline,
    status: epicStatus(progress, standings),
    tickets,
    unmerged: unmerged.map(({ id }) => id),
    conflict,
    lost: lost.length === 0 ? null : lostLine(epic.id, account),
    mergesAgain: lost.length > 0 && !account.isAsked,
    rollsBack: epic.rollbackOnFailure,
    refused: await foreignBranches({ repo, store }, progress),
    notes,
  };
}

/** Who would play, and what keeps the tickets from being started at all. */
export async function epicCast(
  root: string,
  { id, status, tickets, file, branch, unmerged, refused }: EpicPlan,
  overrides: { cast: Partial<Cast> },
): Promise<{ cast: Cast; problems: string[]; notes: string[] }> {
  const main = await openRepo(root);
  const loaded = await judgingSettings(main);
  refuseDamaged(loaded, root);
  const { policy } = await policyOf(CHOICE, loaded.settings, root);
  refuseForeignNames(loaded, { besides: overrides.cast, policy });
  const cast = castFor(overrides.cast, undefined, castOfSettings(loaded, root));
  const untested = status === "completed" ? null : await testCommandProblem({ kind: "epic", root, loaded });
  const problems = untested === null ? [] : [problemText(untested)];
  const note = status === "completed" ? null : await testCommandNote({ kind: "epic", root, loaded });
  const fresh = tickets.filter((ticket) => ticket.status === "pending" || ticket.status === "queued");
  const open = fresh.length + unmerged.length > 0 ? [branch] : [];
  const wanted = [...open, ...fresh.map((ticket) => ticket.branch)].map((name) => ({ branch: name, file, line: 1 }));
  problems.push(...(await branchConflicts(main, wanted)).map(problemText));
  problems.push(...refused.map((message) => problemText({ file, line: 1, message })));
  const agents = agentTermsOf(loaded);
  const model = settingsFor(loaded).defaultModel;
  for (const ticket of fresh) {
    const trouble = await checkCast(cast, { id: `${id}/${ticket.id}`, policy, agents, model }).then(
      () => null,
      messageOf,
    );
    if (trouble !== null && !problems.includes(trouble)) problems.push(trouble);
  }
  return { cast, problems, notes: note === null ? [] : [note] };
}

function messageOf(error: unknown): string {
  if (error instanceof UsageError) return error.message;
  throw error;
}
