import {
  type EpicItem,
  type EpicProgress,
  follow,
  type TicketLoop,
  ticketLoop,
  ticketProgress,
  toMerge,
} from "@anneal/core/epics";
import type { EpicState, LoopState, TicketStatus } from "@anneal/types";
import { historyOf, loopsOf, startOf } from "../../history/loop-history.ts";
import type { ProjectStore } from "../../history/store-log.ts";
import type { LoopSummary } from "../../history/summary.ts";
import type { LogLoopRow } from "../../log/index.ts";
import type { Lost } from "./lost-merges.ts";

/** What the log says about an epic, over what its epic-state.json says. */
export interface EpicAccount {
  progress: EpicProgress;
  /** Tickets that may still come to be merged. */
  open: string[];
  /** What is still to be merged into the epic branch, in order; empty where the epic fails and rolls back. */
  unmerged: { id: string; commit: string }[];
  /** What was merged and the branch does not hold any more, unless a loop is merging it again. */
  lost: string[];
  /** Whether a person has to say if they are to be merged again. */
  isAsked: boolean;
  /** Whether the epic's own loop waits for a person. */
  waits: boolean;
  /** Why a merge waits for a person, and what they can do. */
  conflict: string | null;
}

/** Reads epics from the log. What was read before is kept, so that a step of a ticket costs one event. */
export function epicLog(store: ProjectStore | null) {
  const known = new Map<string, { seq: number; loop: TicketLoop | null }>();

  const loopOf = (row: LogLoopRow, before: TicketLoop | null): TicketLoop | null => {
    const last = known.get(row.loop) ?? { seq: 0, loop: null };
    let { seq, loop } = last;
    if (store === null || seq === row.lastSeq) return loop;
    for (const logged of store.events(row.loop, seq)) {
      loop = loop === null ? ticketLoop([logged.event], before) : follow(loop, logged.event);
      seq = logged.seq;
    }
    known.set(row.loop, { seq, loop });
    return loop;
  };

  /** A ticket's last loop, with those before it behind it. */
  const ticket = (epicId: string, id: string): TicketLoop | null =>
    rowsOf(store, "ticket", `${epicId}/${id}`).reduce<TicketLoop | null>((before, row) => loopOf(row, before), null);

  const progressOf = ({ epic, state }: EpicOnDisk, baseline?: string): EpicProgress => {
    const loops = new Map<string, TicketLoop>();
    for (const { id } of epic.tickets) {
      const loop = ticket(epic.id, id);
      if (loop !== null) loops.set(id, loop);
    }
    return {
      epic,
      baselineCommit: baseline ?? baselineIn(store, epic) ?? state?.baseline_commit ?? "",
      startedAt: earliest([Date.parse(state?.started_at ?? ""), ...[...loops.values()].map((one) => one.startedAt)]),
      loops,
      earlier: state?.tickets ?? {},
      merge: "pending",
    };
  };

  return {
    ticket,

    /** How far the tickets are; what became of their merges is not looked at. */
    progress: progressOf,

    /** The commits that were merged into the epic branch, whether or not they are still there; not those that are merged again. */
    merged: (epicId: string) => {
      const { merged: commits, head, isWhole } = mergesOf(store, epicId);
      return { commits, head, isWhole };
    },

    /** `found` is what `lostMerges` finds. A branch that is gone has lost nothing once all was in it: it was merged on. */
    account(onDisk: EpicOnDisk, found: Lost, baseline?: string): EpicAccount {
      const { epic } = onDisk;
      const progress = progressOf(onDisk, baseline);
      const { merged, last, isWhole } = mergesOf(store, epic.id);
      const wanted = toMerge(progress).map(({ ticket: id, commit }) => ({ id, commit }));
      const lost = found !== "gone" ? found.commits : isWhole ? new Set<string>() : merged;
      const isAsked = found !== "gone" && found.by === "hand";
      const unmerged = wanted.filter(({ commit }) => !merged.has(commit) || (lost.has(commit) && !isAsked));
      const dropped = wanted.filter(({ commit }) => lost.has(commit)).map(({ id }) => id);
      // Where merges before it are to be made again, a conflict is not yet one to resolve.
      const isDone = wanted.length > 0 && unmerged.length + dropped.length === 0;
      const conflict = isDone || dropped.length > 0 ? null : conflictIn(last, epic.id);
      const merge = isDone ? "done" : conflict === null ? "pending" : "conflict";
      const waits = last?.stage === "waiting-for-human";
      const open = [...ticketProgress(progress)].filter(([, { status }]) => !SETTLED.has(status)).map(([id]) => id);
      return { progress: { ...progress, merge }, open, unmerged, lost: dropped, isAsked, waits, conflict };
    },
  };
}

/** What the files of an epic say. */
interface EpicOnDisk {
  epic: EpicItem;
  state: EpicState | null;
}

const SETTLED: ReadonlySet<TicketStatus> = new Set<TicketStatus>(["completed", "failed", "blocked"]);

export type EpicLog = ReturnType<typeof epicLog>;

/** Where the epic started from: every loop of its tickets remembers it. */
export function baselineIn(store: ProjectStore | null, { id, tickets }: EpicItem): string | null {
  for (const ticket of tickets) {
    for (const row of rowsOf(store, "ticket", `${id}/${ticket.id}`)) {
      const baseline = store === null ? undefined : startOf(store, row.loop).baseline;
      if (baseline !== undefined) return baseline;
    }
  }
  return null;
}

function rowsOf(store: ProjectStore | null, kind: "ticket" | "epic", id: string): LogLoopRow<LoopSummary>[] {
  return store === null ? [] : loopsOf(store, { kind, id });
}

/** The commits that were merged into the epic branch, by all loops that did so, and how the last of them stands; what a loop has yet to merge is not there. */
function mergesOf(store: ProjectStore | null, id: string): EpicMerges {
  const merged = new Set<string>();
  let head: string | null = null;
  let last: LoopState | null = null;
  let isWhole = false;
  for (const row of rowsOf(store, "epic", id)) {
    if (store === null) continue;
    const { started, state, events } = historyOf(store, row);
    const merges = started.merges ?? [];
    for (const { event } of events) if (event.type === "merged") head = event.commit;
    const isDone = state.stage === "ended" && state.outcome === "merged";
    const done = isDone ? merges.length : merges.length - (state.merges?.length ?? 0);
    for (const { commit } of merges.slice(done)) merged.delete(commit);
    for (const { commit } of merges.slice(0, done)) merged.add(commit);
    // One that has merged nothing yet leaves it at what was before.
    if (isDone || done > 0) isWhole = isDone;
    last = state;
  }
  return { merged, head, last, isWhole };
}

interface EpicMerges {
  merged: Set<string>;
  /** What the last of them made of the branch. */
  head: string | null;
  last: LoopState | null;
  /** Whether the last loop that merged anything came to its end. */
  isWhole: boolean;
}

/** Also one that a person took over is not merged yet. */
function conflictIn(state: LoopState | null, id: string): string | null {
  if (state?.stage === "ended" && state.outcome === "blocked")
    return `a person took over the merging: anneal epic resume ${id} merges the remaining tickets`;
  return state?.stage === "waiting-for-human" && state.reason === "merge-conflict" ? state.detail : null;
}

function earliest(times: readonly number[]): number {
  const real = times.filter((time) => Number.isFinite(time));
  return real.length === 0 ? 0 : Math.min(...real);
}
