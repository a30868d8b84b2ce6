import type { LoopEvent } from "@anneal/types";
import type { LoopLog } from "./loop-engine.ts";

/** A log that lasts as long as the process: for one-off runs whose result is all that matters. */
export function memoryLog(): LoopLog & { events: readonly LoopEvent[] } {
  const events: LoopEvent[] = [];
  return {
    events,
    append: (event) => {
      events.push(event);
    },
    words: () => [],
    refuse: () => {},
  };
}
