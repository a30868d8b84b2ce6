import { gateEvents, type SeedEvent } from "@anneal/core/write";
import type { ItemRef, LoopEvent, LoopState, Policy } from "@anneal/types";

/** One thing that happened, as the log has it and in the seeds' own words. */
export interface Told {
  seq: number;
  loop: string;
  /** The key of the item: a feature's id, or kind and id. */
  item: string;
  title: string;
  policy: Policy;
  event: LoopEvent;
  state: LoopState;
  seed: SeedEvent[];
}

/** What the seed of this kind of item announces about an event. */
export function seedEventsOf(
  { kind, id }: ItemRef,
  _policy: Policy,
  before: LoopState | null,
  event: LoopEvent,
  after: LoopState,
): SeedEvent[] {
  return kind === "feature" ? gateEvents(id, before, event, after) : [];
}
