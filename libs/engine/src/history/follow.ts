import type { Clock } from "@anneal/adapters";
import { advance, start } from "@anneal/core";
import type { ItemRef, LoopEvent, LoopState, Policy } from "@anneal/types";
import { type LoggedEvent, wakeUps } from "../log/index.ts";
import { type LoopNotification, notificationOf } from "./notification.ts";
import type { ProjectStore } from "./store-log.ts";

const PAGE = 500;

interface Known {
  ref: ItemRef;
  title: string;
  policy: Policy;
  state: LoopState;
}

/** Reads the log as it grows and reports what happened, as the owner itself reports it. */
export class Follower {
  readonly #store: ProjectStore;
  readonly #loops = new Map<string, Known>();
  #seen: number;

  constructor(store: ProjectStore, sinceSeq: number = store.lastSeq()) {
    this.#store = store;
    this.#seen = sinceSeq;
  }

  /** What was appended since the last look. */
  *news(): Generator<LoopNotification> {
    for (let more = true; more; ) {
      const page = this.#store.allEvents(this.#seen, PAGE);
      more = page.length === PAGE;
      for (const logged of page) {
        const notification = this.#notificationOf(logged);
        this.#seen = logged.seq;
        if (notification !== null) yield notification;
      }
    }
  }

  #notificationOf({ seq, loop, event }: LoggedEvent): LoopNotification | null {
    const known = this.#loops.get(loop) ?? this.#catchUp(loop);
    const next = this.#after(loop, known, event);
    if (next === null) return null;
    this.#loops.set(loop, next);
    const { ref, title, policy, state } = next;
    return notificationOf({ ref, loop, title, policy }, { seq, event, before: known?.state ?? null, after: state });
  }

  #after(loop: string, known: Known | null, event: LoopEvent): Known | null {
    if (event.type !== "loop-started") {
      return known === null ? null : { ...known, state: advance(known.policy, known.state, event) };
    }
    const title = this.#store.loop(loop)?.summary.title ?? "";
    return { ref: event.item, title, policy: event.policy, state: start(event) };
  }

  /** A loop that had begun before we looked: its state up to what was seen. */
  #catchUp(loop: string): Known | null {
    let known: Known | null = null;
    for (const { seq, event } of this.#store.events(loop)) {
      if (seq > this.#seen) break;
      known = this.#after(loop, known, event);
    }
    return known;
  }
}

/** Yields at the start, whenever any process has committed something, and at the latest after the given time. */
export async function* ticks(
  store: ProjectStore,
  { clock, signal, everyMs }: { clock: Clock; signal: AbortSignal; everyMs: number },
): AsyncGenerator<void> {
  const ended = new AbortController();
  const stop = AbortSignal.any([signal, ended.signal]);
  const wakes = wakeUps(store, { clock, signal: stop });
  let next = wakes.next();
  try {
    while (!signal.aborted) {
      const timer = new AbortController();
      const pause = clock.sleep(everyMs, AbortSignal.any([stop, timer.signal])).catch(() => {});
      const woken = await Promise.race([next.then(() => true), pause.then(() => false)]);
      timer.abort();
      if (signal.aborted) return;
      if (woken) next = wakes.next();
      yield;
    }
  } finally {
    ended.abort();
    await next.catch(() => {});
    await wakes.return(undefined);
  }
}
