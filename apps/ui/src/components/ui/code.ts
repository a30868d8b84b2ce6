/** How far the code of a part of the page is. */
interface Progress<T> {
  loaded: T | null;
  /** Why it could not be loaded when that was last tried. */
  error: Error | null;
  failures: number;
}

/** Code that is fetched at most once; where that fails, it may be fetched again. */
export interface Code<T> {
  now(): Progress<T>;
  /** Never throws: what went wrong is in the progress. */
  fetch(): Promise<void>;
  subscribe(listener: () => void): () => void;
}

export function codeOf<T>(load: () => Promise<T>): Code<T> {
  const listeners = new Set<() => void>();
  let progress: Progress<T> = { loaded: null, error: null, failures: 0 };
  let underWay: Promise<void> | null = null;
  const set = (next: Progress<T>) => {
    progress = next;
    for (const listener of listeners) listener();
  };
  const attempt = async () => {
    const { failures } = progress;
    try {
      set({ loaded: await load(), error: null, failures });
    } catch (cause) {
      const error = new Error("The server did not send this part of the page.", { cause });
      set({ loaded: null, error, failures: failures + 1 });
    } finally {
      underWay = null;
    }
  };
  return {
    now: () => progress,
    fetch() {
      if (progress.loaded !== null) return Promise.resolve();
      underWay ??= attempt();
      return underWay;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
