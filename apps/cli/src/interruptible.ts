type Interruption = "SIGINT" | "SIGTERM";

/** Does work that Ctrl-C stops. A terminal stops git at the same time, so what the work then says or throws does not count. */
export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
  by: readonly Interruption[] = ["SIGINT", "SIGTERM"],
): Promise<T> {
  const stop = new AbortController();
  const interrupt = () => stop.abort(new DOMException("stopped", "AbortError"));
  for (const name of by) process.once(name, interrupt);
  try {
    return await work(stop.signal);
  } finally {
    for (const name of by) process.off(name, interrupt);
    stop.signal.throwIfAborted();
  }
}
