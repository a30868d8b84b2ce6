import type { LoopEvent, LoopState } from "@anneal/types";

/** An event as it was appended, with the states on both sides of it. */
export interface AppendedEvent {
  event: LoopEvent;
  before: LoopState | null;
  after: LoopState;
  seq: number;
}
