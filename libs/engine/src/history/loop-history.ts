import { advance, start } from "@anneal/core";
import { type Spent, withUsage } from "@anneal/core/agents";
import type { ItemRef, LoopEvent, LoopState, Policy } from "@anneal/types";
import type { LoggedEvent, LogLoopRow } from "../log/index.ts";
import { differenceAfter } from "../loop/loop-engine.ts";
import { itemOf, keyOfRow } from "./item-key.ts";
import type { ProjectStore } from "./store-log.ts";
import type { LoopSummary } from "./summary.ts";

export type Started = Extract<LoopEvent, { type: "loop-started" }>;

/** A loop as its log tells it. */
export interface LoopHistory {
  row: LogLoopRow<LoopSummary>;
  started: Started;
  policy: Policy;
  state: LoopState;
  /** How the stages on record and those of today's rules differ, in words; then nothing may be concluded from the state. */
  differs: string | null;
  events: LoggedEvent[];
  spent: Spent;
}

/** By the item's key, the loop that counts: the one that is open, else the last. Of all items, or of those with these keys. */
export function loopsByItem(
  store: ProjectStore | null,
  keys?: readonly string[],
): Map<string, LogLoopRow<LoopSummary>> {
  const byItem = new Map<string, LogLoopRow<LoopSummary>>();
  for (const row of store === null ? [] : rowsOf(store, keys)) {
    const key = keyOfRow(row);
    if ((byItem.get(key)?.stage ?? "ended") === "ended") byItem.set(key, row);
  }
  return byItem;
}

function rowsOf(store: ProjectStore, keys: readonly string[] | undefined): LogLoopRow<LoopSummary>[] {
  if (keys === undefined) return store.loops();
  const rows = [...new Set(keys)].flatMap((key) => loopsOf(store, itemOf(key)));
  return rows.sort((a, b) => a.firstSeq - b.firstSeq);
}

/** All loops of one item, oldest first. */
export function loopsOf(store: ProjectStore, { kind, id }: ItemRef): LogLoopRow<LoopSummary>[] {
  return store.loops({ item: { kind, id } });
}

export function currentLoop(store: ProjectStore, key: string): LogLoopRow<LoopSummary> | null {
  const loops = loopsOf(store, itemOf(key));
  return loops.find((row) => row.stage !== "ended") ?? loops.at(-1) ?? null;
}

/** Reads a whole loop. */
export function historyOf(store: ProjectStore, row: LogLoopRow<LoopSummary>): LoopHistory {
  const events = [...store.events(row.loop)];
  const [first, ...rest] = events;
  if (first?.event.type !== "loop-started")
    throw new Error(`the log of the loop ${row.loop} is damaged: its first event is not loop-started`);
  const { event: started } = first;
  const { policy } = started;
  let state = start(started);
  let differs: string | null = null;
  for (const { event, stage } of rest) {
    state = advance(policy, state, event);
    differs = differenceAfter(differs, event, stage, state);
  }
  const spent = events.reduce((sum, { event }) => withUsage(sum, event), { costUsd: 0, tokens: 0 });
  return { row, started, policy, state, differs, events, spent };
}

/** The first event of a loop, without reading the rest. */
export function startOf(store: ProjectStore, loopId: string): Started {
  for (const { event } of store.events(loopId)) if (event.type === "loop-started") return event;
  throw new Error(`the log of the loop ${loopId} is damaged: its first event is not loop-started`);
}

/** Everything after the first event, in the form that an engine resumes from. */
export function* eventsAfterStart(store: ProjectStore, loopId: string) {
  for (const { event, stage } of store.events(loopId)) if (event.type !== "loop-started") yield { event, stage };
}
