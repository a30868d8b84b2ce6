import type { LoopState } from "@anneal/types";
import { currentLoop, historyOf } from "../history/loop-history.ts";
import type { Runtime } from "./runtime.ts";

export interface PullRequestWatchOptions {
  /** Keys of the items that the run is about; without them all. */
  only?: readonly string[];
  /** Stays while the forge can still say something about these items, and goes on with what it says. */
  stays?: boolean;
  signal: AbortSignal;
}

/** When a run asks the forge: once at its start, and again and again where it stays. */
export interface Watch {
  look(): Promise<void>;
  /** What to wait for in addition to the work: the next look, or the end of the run; nothing where there is nothing to stay for. */
  ahead(): Promise<void>[];
}

export function watchOver(runtime: Runtime, options: PullRequestWatchOptions, settled: Map<string, LoopState>): Watch {
  const { only, stays = false, signal } = options;
  const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  let next: Promise<void> | null = null;
  const look = async () => {
    const before = new Map(runtime.store.loops({ open: true }).map(({ loop, lastSeq }) => [loop, lastSeq]));
    for (const key of await runtime.look()) {
      const row = currentLoop(runtime.store, key);
      if (row === null || before.get(row.loop) === row.lastSeq) continue;
      const isHeld = row.stage === "waiting-for-human" && row.summary.reason !== "ready-for-human";
      // What the forge has ended is over: the same run does not begin it anew. What it holds waits for a person, who gets a message.
      if (row.stage === "ended" || isHeld) settled.set(key, historyOf(runtime.store, row).state);
    }
  };
  return {
    look,
    ahead() {
      if (!stays || !runtime.listening().some((key) => only?.includes(key) ?? true)) return [];
      next ??= runtime
        .untilNextLook()
        .then(look)
        .finally(() => {
          next = null;
        });
      return [next, stopped];
    },
  };
}
