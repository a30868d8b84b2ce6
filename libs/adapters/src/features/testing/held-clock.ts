import type { Clock } from "../../ports.ts";

/** A clock that stands still, with sleepers that wake when the test says so. */
export interface HeldClock extends Clock {
  /** Resolves as soon as somebody sleeps. */
  asleep(): Promise<void>;
  wake(): void;
}

export function heldClock(now = 1_767_960_000_000): HeldClock {
  const sleepers: (() => void)[] = [];
  const waiting: (() => void)[] = [];
  return {
    now: () => now,
    sleep: (_ms, signal) =>
      new Promise((resolve, reject) => {
        sleepers.push(resolve);
        signal.addEventListener("abort", () => reject(signal.reason));
        for (const tell of waiting.splice(0)) tell();
      }),
    asleep: () =>
      new Promise((resolve) => {
        if (sleepers.length > 0) resolve();
        else waiting.push(resolve);
      }),
    wake() {
      for (const resolve of sleepers.splice(0)) resolve();
    },
  };
}
