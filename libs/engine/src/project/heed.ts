import type { Clock } from "@anneal/adapters";
import type { LoopEvent, LoopState } from "@anneal/types";
import type { LoopRow } from "../embedded/index.ts";
import { LoopEngine } from "../loop-engine.ts";
import { eventsAfterStart, startOf } from "./loop-history.ts";
import { type ProjectStore, storeLog } from "./store-log.ts";
import type { LoopSummary } from "./summary.ts";

export interface Heard {
  event: LoopEvent;
  before: LoopState | null;
  after: LoopState;
  seq: number;
}

/** As the owner, takes the next word for a loop that is not running; null when none is left that changes anything. */
export async function heedOne(
  store: ProjectStore,
  clock: Clock,
  { loop: loopId, kind, item, summary }: LoopRow<LoopSummary>,
): Promise<Heard | null> {
  const started = startOf(store, loopId);
  const { policy } = started;
  const log = storeLog(store, { loopId, kind, item, title: summary.title, branch: summary.branch, policy });
  const heard: Heard[] = [];
  const engine = new LoopEngine({
    policy,
    log,
    clock,
    shutdown: new AbortController().signal,
    onEvent: (event, before, after) => heard.push({ event, before, after, seq: log.lastSeq() }),
  });
  // From the replay to the append nothing is awaited, so no other work on this loop can come in between.
  await engine.signal(engine.resume(started, eventsAfterStart(store, loopId)));
  return heard[0] ?? null;
}
