import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "@anneal/adapters";
import { describe, expect, test } from "vitest";
import { startChild } from "./testing/child.ts";
import { entry } from "./testing/entries.ts";
import { openFor, tempProject } from "./testing/project.ts";
import { type WatchFolder, wakeUps } from "./waker.ts";

const realClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, { signal });
  },
};
const nobodyWatches: WatchFolder = () => ({ close: () => {} });

/** A clock that never waits: it calls back on each sleep with its length, as a hook for the test. */
function hurriedClock(onSleep: (ms: number, count: number) => void): Clock {
  let count = 0;
  return {
    now: () => 0,
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      count += 1;
      onSleep(ms, count);
    },
  };
}

describe("waiting", () => {
  test("wakes once at the start, and then looks ever less often, down to the slow poll", async () => {
    const stop = new AbortController();
    const slept: number[] = [];
    const clock = hurriedClock((ms, count) => {
      slept.push(ms);
      if (count === 12) stop.abort();
    });
    let wakes = 0;
    const store = { gitDir: "", mark: () => "same" };
    for await (const _ of wakeUps(store, { clock, signal: stop.signal, watchFolder: nobodyWatches })) wakes += 1;
    expect([wakes, slept]).toEqual([1, [1, 2, 4, 8, 16, 32, 64, 128, 256, 500, 500, 500]]);
  });

  test("a commit of another connection, or of its own, is seen without any watching", async () => {
    const root = tempProject();
    const [mine, theirs] = [openFor(root), openFor(root)];
    const stop = new AbortController();
    const clock = hurriedClock((_ms, count) => {
      if (count === 5) theirs.post({ id: "one", loop: "a", body: 1 });
      if (count === 10) mine.append("a", [entry(1)], { taking: "one" });
      if (count === 15) stop.abort();
    });
    const seen: [string[], number][] = [];
    for await (const _ of wakeUps(mine, { clock, signal: stop.signal, watchFolder: nobodyWatches })) {
      seen.push([mine.takeInbox().map(({ id }) => id), mine.lastSeq()]);
    }
    expect(seen).toEqual([
      [[], 0],
      [["one"], 0],
      [[], 1],
    ]);
  });

  test("a commit made while the last wake-up is handled is not missed", async () => {
    const root = tempProject();
    const [mine, theirs] = [openFor(root), openFor(root)];
    const stop = new AbortController();
    const clock = hurriedClock(() => stop.abort());
    const seen: number[] = [];
    for await (const _ of wakeUps(mine, { clock, signal: stop.signal, watchFolder: nobodyWatches })) {
      seen.push(mine.lastSeq());
      if (seen.length < 3) theirs.append("a", [entry(seen.length)]);
    }
    expect(seen).toEqual([0, 1, 2]);
  });

  test("a change of the database file cuts the waiting short, that of other files does not, and the watch is closed", async () => {
    const stop = new AbortController();
    const events: string[] = [];
    let touch: (name: string | null) => void = () => {};
    const watchFolder: WatchFolder = (_folder, onFile) => {
      touch = onFile;
      return { close: () => void events.push("closed") };
    };
    // Sleeps until it is interrupted: only the watch can end it.
    const clock: Clock = {
      now: () => 0,
      sleep: (_ms, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
          queueMicrotask(() => {
            touch("features");
            events.push(signal.aborted ? "interrupted" : "asleep");
            mark = "second";
            touch("log.db-wal");
          });
        }),
    };
    let mark = "first";
    for await (const _ of wakeUps({ gitDir: "", mark: () => mark }, { clock, signal: stop.signal, watchFolder })) {
      events.push(mark);
      if (mark === "second") stop.abort();
    }
    expect(events).toEqual(["first", "asleep", "second", "closed"]);
  });

  test("ends on request, in the middle of a sleep", async () => {
    const stop = new AbortController();
    const store = { gitDir: "", mark: () => "same" };
    const waking = wakeUps(store, { clock: realClock, signal: stop.signal, watchFolder: nobodyWatches });
    await waking.next();
    const next = waking.next();
    stop.abort();
    expect(await next).toEqual({ value: undefined, done: true });
  });

  test("goes on by polling alone where the system cannot watch the folder", async () => {
    const stop = new AbortController();
    const marks = ["first", "first", "second"];
    const store = { gitDir: "/does/not/exist", mark: () => marks.shift() ?? "second" };
    const waking = wakeUps(store, { clock: hurriedClock(() => {}), signal: stop.signal });
    expect([await waking.next(), await waking.next()]).toEqual([
      { value: undefined, done: false },
      { value: undefined, done: false },
    ]);
    await waking.return(undefined);
  });
});

describe("the owner gets a message that another process posts", () => {
  test.for([
    ["by the watch, long before the next poll", 1_000_000_000],
    ["with the usual poll", 500],
  ] as const)("%s", async ([, pollMs]) => {
    const root = tempProject();
    const store = openFor(root);
    const poster = startChild("poster", [root]);
    expect(await poster.next()).toBe("ready");
    const stop = new AbortController();
    const heard: string[] = [];
    for await (const _ of wakeUps(store, { clock: realClock, signal: stop.signal, pollMs })) {
      for (const { id } of store.takeInbox()) {
        heard.push(id);
        store.append("a", [entry(heard.length)], { taking: id });
      }
      if (heard.length === 5) stop.abort();
      else poster.send(`message-${heard.length}`);
    }
    expect(heard).toEqual([0, 1, 2, 3, 4].map((n) => `message-${n}`));
  });
});
