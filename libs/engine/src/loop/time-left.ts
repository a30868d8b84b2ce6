import type { Clock } from "@anneal/adapters";

/** Timers know no longer time; nothing that an agent or a check does takes it either. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A signal that comes when a moment does; disposing of it is the end of the wait. */
export function timeLeft(clock: Clock, untilMs: number | null): { over: AbortSignal } & Disposable {
  const over = new AbortController();
  const waiting = new AbortController();
  const leftMs = untilMs === null ? Number.POSITIVE_INFINITY : untilMs - clock.now();
  if (leftMs <= 0) over.abort();
  else if (leftMs <= LONGEST_TIMER_MS) {
    clock.sleep(leftMs, waiting.signal).then(
      () => over.abort(),
      () => {},
    );
  }
  return { over: over.signal, [Symbol.dispose]: () => waiting.abort() };
}
