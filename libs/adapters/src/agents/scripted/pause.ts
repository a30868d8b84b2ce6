import type { AgentRequest } from "../../ports.ts";

export type Interruption = "cancelled" | "timed-out";

/** Waits, but never longer than the limits allow and not past an abort; null means that the wait ran its full length. */
export function pause(
  durationMs: number,
  { timeoutMs, silenceMs = Number.POSITIVE_INFINITY }: AgentRequest["limits"],
  signal: AbortSignal,
): Promise<Interruption | null> {
  const limitMs = Math.min(timeoutMs, silenceMs);
  return new Promise((resolve) => {
    const end = (how: Interruption | null) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      resolve(how);
    };
    const cancel = () => end("cancelled");
    const timer = setTimeout(
      () => end(durationMs <= limitMs ? null : "timed-out"),
      timerMs(Math.min(durationMs, limitMs)),
    );
    signal.addEventListener("abort", cancel);
    if (signal.aborted) cancel();
  });
}

/** A longer delay than this overflows Node's timers and would fire at once. */
function timerMs(wanted: number): number {
  return Math.min(wanted, 2 ** 31 - 1);
}
