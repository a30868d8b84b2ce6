import type { SeedEvent } from "@anneal/core/write";
import type { LoopEvent, LoopState, Policy } from "@anneal/types";

/** One thing that happened, as the log has it and in the seeds' own words. */
export interface Told {
  seq: number;
  loop: string;
  item: string;
  title: string;
  policy: Policy;
  event: LoopEvent;
  state: LoopState;
  seed: SeedEvent[];
}
