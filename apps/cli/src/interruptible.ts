/** Hears what asks a command to stop: Ctrl-C, a polite kill, and a terminal that is closed. Gives what ends the hearing. */
export function onStop(stop: () => void): () => void {
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, stop);
  // The kernel and the shell both say that the terminal is gone: the second time must not kill what is being put in order.
  process.on("SIGHUP", stop);
  return () => {
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.off(name, stop);
  };
}

/** Does work that Ctrl-C stops. A terminal stops git at the same time, so what the work then says or throws does not count. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const unheard = onStop(() => stop.abort(new DOMException("stopped", "AbortError")));
  try {
    return await work(stop.signal);
  } finally {
    unheard();
    stop.signal.throwIfAborted();
  }
}
