import { counted } from "@anneal/core/analytics";
import { errorMessage } from "@anneal/types/unknown";
import type { AppendedEvent } from "../history/appended-event.ts";
import type { ProjectStore } from "../history/store-log.ts";
import { readTally, writeTally } from "./analytics-file.ts";
import { nameOf, type Tally, tallied } from "./tally.ts";

/** Keeps a project's analytics up to date while its loops run. */
export interface AnalyticsKeeper {
  /** Takes note of an event; the counting is done later. */
  received(appended: AppendedEvent): void;
  /** Writes what is not written yet. */
  close(): Promise<void>;
}

export interface KeeperOptions {
  root: string;
  store: ProjectStore;
  /** It never fails a loop: what goes wrong is reported, and the log still has everything. */
  onTrouble: (message: string) => void;
  /** How long events are gathered before they are counted and written. */
  everyMs?: number;
}

const EVERY_MS = 5_000;

export function analyticsKeeper({ root, store, onTrouble, everyMs = EVERY_MS }: KeeperOptions): AnalyticsKeeper {
  let waiting: AppendedEvent[] = [];
  let kept: Tally | null = null;
  let writing: Promise<void> = Promise.resolve();
  // Not the loops' clock: it is about sparing the disk, and nothing that happens depends on it.
  let timer: NodeJS.Timeout | undefined;

  const count = async () => {
    if (waiting.length === 0) return;
    const before = kept ?? (await readTally(root));
    const fresh = waiting.toSorted((a, b) => a.seq - b.seq);
    waiting = [];
    const now = before !== null && before.log === nameOf(store) ? continued(before, fresh) : null;
    kept = now ?? tallied(store, before);
    if (kept.days !== before?.days) await writeTally(root, kept);
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(count).catch((error: unknown) => {
      // What could not be written is counted from the log next time.
      kept = null;
      onTrouble(errorMessage(error));
    });
    return writing;
  };
  return {
    received(appended) {
      waiting.push(appended);
      timer ??= setTimeout(() => void flush(), everyMs).unref();
    },
    close: flush,
  };
}

/** Counts new events without reading the log; null where something is missing in between. */
function continued(before: Tally, fresh: readonly AppendedEvent[]): Tally | null {
  let { seq, days } = before;
  for (const appended of fresh) {
    if (appended.seq <= seq) continue;
    if (appended.seq !== seq + 1) return null;
    seq = appended.seq;
    days = counted(days, appended);
  }
  return { ...before, seq, days };
}
