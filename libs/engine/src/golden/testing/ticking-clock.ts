import type { Clock } from "@anneal/adapters";
import { systemClock } from "@anneal/system/clock";

export interface TickingClock extends Clock {
  /** Moves the time on by a minute. */
  tick(): void;
}

const MINUTE_MS = 60_000;
/** Looks into the log pause for less than this; only waits before another attempt are longer. */
const LONGEST_LOOK_MS = 1_000;

export const START = Date.parse("2026-01-09T14:00:00Z");

/** A clock that stands still between events, and on which the waits before another attempt are over at once. */
export function tickingClock(): TickingClock {
  let now = START;
  return {
    now: () => now,
    tick: () => {
      now += MINUTE_MS;
    },
    sleep: async (ms, signal) => {
      if (ms <= LONGEST_LOOK_MS) return systemClock.sleep(ms, signal);
      signal.throwIfAborted();
      now += ms;
    },
  };
}

/** A clock on which everything happens at once, so that the order of things leaves no trace. */
export function stoppedClock(): TickingClock {
  return { now: () => START, tick: () => {}, sleep: systemClock.sleep };
}
