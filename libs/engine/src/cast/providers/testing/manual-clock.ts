import type { Clock } from "@anneal/adapters";

/** A clock that moves when the test says so. */
export interface ManualClock extends Clock {
  /** Moves on and wakes, in their order, all who slept until then. */
  advance(ms: number): Promise<void>;
  /** The moments that somebody sleeps until, earliest first. */
  alarms(): number[];
}

export function manualClock(start = 0): ManualClock {
  let now = start;
  const sleepers = new Set<{ untilMs: number; wake: () => void }>();
  const inOrder = () => [...sleepers].sort((a, b) => a.untilMs - b.untilMs);
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const sleeper = { untilMs: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal.addEventListener("abort", () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    async advance(ms) {
      const untilMs = now + ms;
      for (let [next] = inOrder(); next !== undefined && next.untilMs <= untilMs; [next] = inOrder()) {
        now = next.untilMs;
        sleepers.delete(next);
        next.wake();
        await drained();
      }
      now = untilMs;
      await drained();
    },
    alarms: () => inOrder().map((sleeper) => sleeper.untilMs),
  };
}

/** Resolves when everything that can go on without time or the outside world has gone on. */
export function drained(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
