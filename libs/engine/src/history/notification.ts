import { reviewLoopEvents } from "@anneal/core/pull-request";
import { adviceEvents, adviceLines } from "@anneal/core/units";
import { gateEvents, type SeedEvent } from "@anneal/core/write";
import type { ItemRef, LoopEvent, LoopState, Policy } from "@anneal/types";
import { keyOf } from "./item-key.ts";

/** One thing that happened, as the log has it and in the seeds' own words. */
export interface LoopNotification {
  seq: number;
  loop: string;
  /** The key of the item: a feature's id, or kind and id. */
  item: string;
  title: string;
  policy: Policy;
  event: LoopEvent;
  /** The state before it; null for the first of a loop. */
  before: LoopState | null;
  state: LoopState;
  seed: SeedEvent[];
  /** What the seed writes to people about it. */
  lines: string[];
}

export type AboutLoop = Pick<LoopNotification, "loop" | "title" | "policy"> & { ref: ItemRef };

/** An event of a loop as watchers get it. */
export function notificationOf(
  { ref, ...about }: AboutLoop,
  { seq, event, before, after }: Pick<LoopNotification, "seq" | "event" | "before"> & { after: LoopState },
): LoopNotification {
  const seed = seedEventsOf(ref, about.policy, before, event, after);
  const lines = seedLinesOf(ref, before, event, after);
  return { seq, ...about, item: keyOf(ref), event, before, state: after, seed, lines };
}

/** What the seed of this kind of item announces about an event. */
export function seedEventsOf(
  { kind, id }: ItemRef,
  policy: Policy,
  before: LoopState | null,
  event: LoopEvent,
  after: LoopState,
): SeedEvent[] {
  if (kind === "unit") return adviceEvents(before, event, after);
  if (kind !== "feature") return [];
  // A feature that becomes a pull request still is one that seed 000's board shows.
  const session = policy.push === "with-pr" ? reviewLoopEvents(id, before, event, after) : [];
  return [...gateEvents(id, before, event, after), ...session];
}

/** What the seed of this kind of item writes to people about an event. */
export function seedLinesOf({ kind }: ItemRef, before: LoopState | null, event: LoopEvent, after: LoopState): string[] {
  return kind === "unit" ? adviceLines(before, event, after) : [];
}
