import { epicBranch, outdatedIn, planOf, type TicketCandidate, ticketBranch } from "@anneal/core/epics";
import { keyOf } from "../../history/item-key.ts";
import type { ItemKind, PrepareRequest, ScheduledItem, UnfinishedItem } from "../../items/kind.ts";
import { bonds, equip, type ProjectParts, termsOf } from "../../items/prepare.ts";
import { asItStands, type BranchStart } from "../../workspaces/free-branch.ts";
import { itemWorkspace, takePersonsCommits } from "../../workspaces/item-workspace.ts";
import { type EpicIndex, epicIdOf, epicIndex, isRunnable, namesIn, type ReadableEpic, ticketIn } from "./epic-index.ts";
import { ticketBranchStart } from "./foreign-branch.ts";
import { type EpicLog, epicLog } from "./log.ts";
import { lostMerges } from "./lost-merges.ts";
import { epicKind } from "./merge.ts";
import { takenOnTrust } from "./on-trust.ts";
import { type EpicFacts, projectTicket } from "./projector.ts";
import { startTicket, type TicketStart } from "./start.ts";
import { ticketWork } from "./work.ts";

export const CHOICE = { name: "scored", because: "the default for tickets" };

/** The tickets of epics, and the epics that take them in. */
export function epicKinds(parts: ProjectParts): { ticket: ItemKind; epic: ItemKind } {
  const book = epicIndex(parts.repo.root);
  const log = epicLog(parts.store);
  const facts = { book, log, lostIn: lostMerges(parts.repo, log) };
  return { ticket: ticketKind(parts, facts), epic: epicKind(parts, facts) };
}

/** Tickets: `.epics/{epic}/`, each in a workspace and on a branch of its own, stacked on what they depend on. */
function ticketKind(parts: ProjectParts, facts: EpicFacts): ItemKind {
  const { book, log } = facts;
  const { repo: main, store } = parts;
  return {
    async entries(named): Promise<ScheduledItem[]> {
      const all = await book.all();
      const entries = all.filter(isRunnable).flatMap((found) => entriesOf(found, log));
      return [...entries, ...unlisted(named, entries, all)];
    },

    async prepare(id, request) {
      const item = { kind: "ticket", id } as const;
      const { epicId, ticketId } = namesIn(id);
      const found = await book.runnable(epicId);
      const ticket = ticketIn(found.epic, ticketId);
      const terms = await termsOf(parts, request, item, { choice: CHOICE });
      const branch = ticketBranch(ticketId);
      await takePersonsCommits(parts, { item, branch, before: request.before });
      const { base, head, baseline } = await startOf(found, ticketId, request);
      const trust = "started" in request.before ? {} : takenOnTrust(parts, keyOf(item), log.progress(found), ticketId);
      const repo = await itemWorkspace(parts, { item, branch, start: head ?? base, request });
      const names = { title: ticket.title, branch };
      const equipped = await equip(parts, terms, { item, repo, request, names, bounds: { base, head } });
      const earlierRounds = earlierRoundsOf(found, ticketId, request);
      return {
        title: ticket.title,
        branch,
        policy: terms.policy,
        bound: {
          ...bonds(terms),
          base,
          head,
          needsApproval: false,
          steps: [],
          into: epicBranch(epicId),
          baseline,
          ...(earlierRounds === 0 ? {} : { earlierRounds }),
          ...trust,
        },
        work: ticketWork({ epic: found.epic, ticket, main, equipped }),
      };
    },

    project: (about, state, since) => projectTicket(facts, about, state, since),

    async changedOutside(ids) {
      const found = await Promise.all((await book.all()).filter(isRunnable).map((one) => changedIn(one, ids)));
      return found.flat();
    },
  };

  /** Where the whole state is gone, so may be the reports of every ticket; what differs is written with any of them. */
  async function changedIn(found: ReadableEpic, all: readonly string[]): Promise<UnfinishedItem[]> {
    const { epic, state, stateAt } = found;
    const ids = all.filter((id) => namesIn(id).epicId === epic.id);
    if (state === null || ids.length === 0) return ids.map((id) => ({ id, notice: null }));
    const { progress } = log.account(found, await facts.lostIn(epic.id));
    const lines = outdatedIn(state, progress);
    if (lines.length === 0) return [];
    const more = lines.length > TOLD ? `; and ${lines.length - TOLD} more` : "";
    const why = `${stateAt([]).file} is updated: ${lines.slice(0, TOLD).join("; ")}${more}`;
    const notice = { key: keyOf({ kind: "epic", id: epic.id }), why };
    return ids.slice(0, 1).map((id) => ({ id, notice }));
  }

  async function startOf(
    found: ReadableEpic,
    ticketId: string,
    { before, overrides }: PrepareRequest,
  ): Promise<TicketStart & BranchStart> {
    if ("started" in before) {
      const { base, head, baseline = "" } = before.started;
      return { base, head, baseline };
    }
    const ticket = ticketIn(found.epic, ticketId);
    const { base, baseline } = await startTicket({ main, store, log, found, wanted: overrides.base }, ticket);
    const item = { kind: "ticket", id: `${found.epic.id}/${ticketId}` } as const;
    const start = await ticketBranchStart(parts, found.epic.id, { id: ticketId, base });
    if (start.head !== null) parts.tell?.(keyOf(item), asItStands(item, ticketBranch(ticketId)));
    return { ...start, baseline };
  }

  /** A ticket that is started anew counts its reviews on, whoever made those before. */
  function earlierRoundsOf({ epic, state }: ReadableEpic, id: string, { before }: PrepareRequest): number {
    if ("started" in before) return before.started.earlierRounds ?? 0;
    const recorded = state !== null && Object.hasOwn(state.tickets, id) ? state.tickets[id]?.review_history : [];
    const attempts = (recorded ?? []).map(({ attempt }) => attempt + 1);
    const last = log.ticket(epic.id, id)?.state;
    return Math.max(0, ...attempts, last === undefined ? 0 : last.earlierRounds + last.rounds.length);
  }
}

/** How many differences of a file one line names. */
const TOLD = 6;

const READINESS: Record<TicketCandidate["state"], ScheduledItem["readiness"]> = {
  done: "done",
  waiting: "backlog",
  running: "backlog",
  stuck: "elsewhere",
};

function entriesOf(found: ReadableEpic, log: EpicLog): ScheduledItem[] {
  const epicId = found.epic.id;
  return planOf(log.progress(found)).map(({ id, dependsOn, priority, state }) => ({
    id: `${epicId}/${id}`,
    dependsOn: dependsOn.map((on) => keyOf({ kind: "ticket", id: `${epicId}/${on}` })),
    priority,
    readiness: READINESS[state],
  }));
}

/** Tickets that somebody asked for, of epics that cannot be run as they are now: starting one says why. */
function unlisted(
  named: readonly string[],
  listed: readonly ScheduledItem[],
  all: Awaited<ReturnType<EpicIndex["all"]>>,
): ScheduledItem[] {
  const epics = new Set(all.filter((found) => !isRunnable(found)).map(({ file }) => epicIdOf(file)));
  const ids = named.filter((id) => epics.has(namesIn(id).epicId) && !listed.some((entry) => entry.id === id));
  return ids.map((id) => ({ id, dependsOn: [], priority: 2, readiness: "backlog" }));
}
