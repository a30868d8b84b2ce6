import type { LoopEvent } from "@anneal/types";
import type { Log } from "./driver.ts";

/** A log that lasts as long as the process: for one-off runs whose result is all that matters. */
export function memoryLog(): Log & { events: readonly LoopEvent[] } {
  const events: LoopEvent[] = [];
  return {
    events,
    append: async (event) => {
      events.push(event);
    },
  };
}
