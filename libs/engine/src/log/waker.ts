import { type FSWatcher, watch } from "node:fs";
import { basename } from "node:path";
import type { Clock } from "@anneal/adapters";
import { logFolderOf } from "./log-folder.ts";
import type { Store } from "./store.ts";

const POLL_MS = 500;

/** Calls back with the names of files that change in a folder, until it is closed. */
export type WatchFolder = (folder: string, onFile: (name: string | null) => void) => { close(): void };

export interface WakeOptions {
  clock: Clock;
  /** Ends the waiting. */
  signal: AbortSignal;
  pollMs?: number;
  watchFolder?: WatchFolder;
}

/**
 * Yields once at the start and then whenever any process has committed something: new messages for the owner, new events
 * for those who follow. Several commits may come as one wake-up; none is missed.
 */
export async function* wakeUps(
  store: Pick<Store, "gitDir" | "mark">,
  { clock, signal, pollMs = POLL_MS, watchFolder = watchQuietly }: WakeOptions,
): AsyncGenerator<void> {
  const bell = makeBell();
  const { folder, database } = logFolderOf(store);
  const watcher = watchFolder(folder, (name) => {
    // Also its journal.
    if (name?.startsWith(basename(database)) ?? true) bell.ring();
  });
  try {
    let seen: string | null = null;
    // The journal is written shortly before the commit counts, so after a sign of life we look often, then ever less.
    for (let waitMs = 1; !signal.aborted; ) {
      const mark = store.mark();
      if (mark !== seen) {
        seen = mark;
        waitMs = 1;
        yield;
      } else {
        const rung = await bell.wait(waitMs, clock, signal);
        waitMs = rung ? 1 : Math.min(waitMs * 2, pollMs);
      }
    }
  } finally {
    watcher.close();
  }
}

interface Bell {
  ring(): void;
  /** True when it rang, false when the time was over or the waiting was ended. */
  wait(ms: number, clock: Clock, signal: AbortSignal): Promise<boolean>;
}

function makeBell(): Bell {
  let rung = false;
  let interrupt = () => {};
  return {
    ring: () => {
      rung = true;
      interrupt();
    },
    wait: async (ms, clock, signal) => {
      const early = new AbortController();
      interrupt = () => early.abort();
      if (rung) early.abort();
      try {
        await clock.sleep(ms, AbortSignal.any([signal, early.signal]));
      } catch (error) {
        if (!early.signal.aborted && !signal.aborted) throw error;
      }
      const result = rung;
      rung = false;
      return result;
    },
  };
}

/** Watching is only a shortcut: where the system refuses it (too many watches, network disk), the slow look remains. */
function watchQuietly(folder: string, onFile: (name: string | null) => void): { close(): void } {
  let watcher: FSWatcher | null = null;
  try {
    watcher = watch(folder, { persistent: false }, (_event, name) => onFile(name));
    watcher.on("error", () => watcher?.close());
  } catch {
    watcher = null;
  }
  return { close: () => watcher?.close() };
}
