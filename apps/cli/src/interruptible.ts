/** Does work that Ctrl-C stops. A terminal stops git at the same time, so what the work then says or throws does not count. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const interrupt = () => stop.abort(new DOMException("stopped", "AbortError"));
  process.once("SIGINT", interrupt);
  try {
    return await work(stop.signal);
  } finally {
    process.off("SIGINT", interrupt);
    stop.signal.throwIfAborted();
  }
}
