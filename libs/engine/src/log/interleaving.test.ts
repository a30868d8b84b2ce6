import fc from "fast-check";
import { expect, test } from "vitest";
import type { Store } from "./store.ts";
import { startChild } from "./testing/child.ts";
import { entry } from "./testing/entries.ts";
import { numbers, openFor, tempProject } from "./testing/project.ts";

type Step =
  | { do: "append"; who: 0 | 1; loop: string; count: number }
  | { do: "read"; who: 0 | 1; loop: string; since: number }
  | { do: "post"; who: 0 | 1; id: string }
  | { do: "take"; who: 0 | 1 };

const who = fc.constantFrom(0 as const, 1 as const);
const loop = fc.constantFrom("a", "b", "c");
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("append" as const), who, loop, count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant("read" as const), who, loop, since: fc.nat(20) }),
  fc.record({ do: fc.constant("post" as const), who, id: fc.constantFrom("p", "q", "r", "s") }),
  fc.record({ do: fc.constant("take" as const), who }),
);

/** What the log must look like: the loop of each event, and the messages by their state. */
interface Model {
  log: string[];
  inbox: Map<string, "waiting" | "taken">;
}

test("any interleaving of two connections gives one ordered sequence without gaps, which both see alike", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const root = tempProject();
      const stores = [openFor(root), openFor(root)] as const;
      const model: Model = { log: [], inbox: new Map() };
      for (const next of steps) play(next, stores[next.who], model);
      for (const store of stores) {
        expect(store.allEvents(0, 1_000).map((event) => event.loop)).toEqual(model.log);
        expect(store.allEvents(0, 1_000).map(({ seq }) => seq)).toEqual(model.log.map((_, n) => n + 1));
        expect(store.lastSeq()).toBe(model.log.length);
        store.close();
      }
    }),
    { numRuns: 40 },
  );
});

function play(next: Step, store: Store, model: Model): void {
  switch (next.do) {
    case "append":
      appendTo(store, model, next.loop, next.count);
      break;
    case "read": {
      const expected = seqsOf(model, next.loop).filter((seq) => seq > next.since);
      expect([...store.events(next.loop, next.since)].map(({ seq }) => seq)).toEqual(expected);
      break;
    }
    case "post":
      expect(store.post({ id: next.id, loop: "a", body: 1 })).toBe(!model.inbox.has(next.id));
      if (!model.inbox.has(next.id)) model.inbox.set(next.id, "waiting");
      break;
    case "take": {
      const waiting = [...model.inbox].filter(([, state]) => state === "waiting").map(([id]) => id);
      expect(store.takeInbox().map(({ id }) => id)).toEqual(waiting);
      const [first] = waiting;
      if (first === undefined) break;
      appendTo(store, model, "a", 1, first);
      model.inbox.set(first, "taken");
    }
  }
}

function appendTo(store: Store, model: Model, loopId: string, count: number, taking?: string): void {
  const entries = Array.from({ length: count }, () => entry(model.log.length));
  const seqs = store.append(loopId, entries, taking === undefined ? {} : { taking });
  model.log.push(...entries.map(() => loopId));
  expect(seqs).toEqual(entries.map((_, n) => model.log.length - count + n + 1));
  expect(store.loop(loopId)?.lastSeq).toBe(model.log.length);
}

function seqsOf(model: Model, loopId: string): number[] {
  return model.log.flatMap((of, index) => (of === loopId ? [index + 1] : []));
}

test("processes that write at the same time lose nothing and number without gaps", async () => {
  const root = tempProject();
  const appenders = ["a", "b", "c"].map((id) => startChild("appender", [root, id, "60"]));
  const poster = startChild("poster", [root]);
  const ids = Array.from({ length: 60 }, (_, n) => `message-${n}`);
  for (const id of ids) poster.send(id);
  poster.process.stdin?.end();
  await Promise.all([...appenders, poster].map((child) => child.end()));
  const store = openFor(root);
  expect(store.allEvents(0, 1_000).map(({ seq }) => seq)).toEqual(Array.from({ length: 180 }, (_, n) => n + 1));
  for (const id of ["a", "b", "c"]) {
    expect(numbers(store.events(id))).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
  }
  expect(store.takeInbox().map(({ id }) => id)).toEqual(ids);
});
