import type { LoopEvent } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { openStore } from "./store.ts";
import { openFor, tempProject } from "./testing/project.ts";
import { currentVersion, NewerEventError, UPCASTERS, type Upcasters, upcast } from "./upcast.ts";

/** A made-up history: version 1 had a `name`, version 2 a `title`, version 3 a list of them. */
const TABLE: Upcasters = {
  named: [({ name, ...rest }) => ({ ...rest, title: name }), ({ title, ...rest }) => ({ ...rest, titles: [title] })],
  plain: [],
};

describe("an event is read as if it were written today", () => {
  test.for([
    ["named", 1, { name: "x" }, { titles: ["x"] }],
    ["named", 2, { title: "x" }, { titles: ["x"] }],
    ["named", 3, { titles: ["x"] }, { titles: ["x"] }],
    ["plain", 1, { name: "x" }, { name: "x" }],
  ] as const)("%s of version %i, %o, becomes %o", ([type, version, old, now]) => {
    expect(upcast({ seq: 1, type, version, body: { type, ...old } }, TABLE)).toEqual({ type, ...now });
  });
});

describe("an event of the future is refused, and the error says which it is", () => {
  test.for([
    ["named", 4, "Event 17 (named, version 4) needs a newer Anneal: this Anneal knows it only up to version 3."],
    ["plain", 2, "Event 17 (plain, version 2) needs a newer Anneal: this Anneal knows it only up to version 1."],
    ["unheard-of", 1, "Event 17 (unheard-of, version 1) needs a newer Anneal: this version does not know the type."],
    ["constructor", 1, "Event 17 (constructor, version 1) needs a newer Anneal: this version does not know the type."],
  ] as const)("%s of version %i", ([type, version, message]) => {
    const read = () => upcast({ seq: 17, type, version, body: { type } }, TABLE);
    expect(read).toThrow(NewerEventError);
    expect(read).toThrow(message);
  });
});

test("every event has the version 1 today, but for a review", () => {
  const later = Object.keys(UPCASTERS).filter((type) => currentVersion(type) !== 1);
  expect(later.map((type) => [type, currentVersion(type)])).toEqual([["reviewed", 2]]);
});

test("a review from before files that nobody read held a change comes to what it came to then", () => {
  const coverage = { reviewed: ["a.ts"], skipped: [{ file: "b.bin", reason: "binary" }] };
  const body = upcast({ seq: 1, type: "reviewed", version: 1, body: { type: "reviewed", coverage } });
  expect(body.coverage).toEqual({ ...coverage, skipped: [{ file: "b.bin", reason: "binary", excused: "earlier" }] });
});

test("the log of an older Anneal is read by a newer one, and the other way round is refused by name", () => {
  type Old = { type: "named"; at: number; name: string };
  type New = { type: "named"; at: number; titles: string[] };
  const root = tempProject();
  const clock = { now: () => 0 };
  const older = openStore<Old>({ gitDir: root }, { clock, upcasters: { named: [] } });
  older.append("a", [{ event: { type: "named", at: 1, name: "first" }, stage: "ended", summary: null }]);
  const newer = openStore<New>({ gitDir: root }, { clock, upcasters: TABLE });
  newer.append("a", [{ event: { type: "named", at: 2, titles: ["second"] }, stage: "ended", summary: null }]);
  expect([...newer.events("a")].map(({ event }) => event.titles)).toEqual([["first"], ["second"]]);
  expect(() => [...older.events("a")]).toThrow("Event 2 (named, version 3) needs a newer Anneal");
  older.close();
  newer.close();
});

test("an event whose type is not in the table is not written", () => {
  const store = openFor(tempProject());
  const event = { type: "constructor", at: 1 } as unknown as LoopEvent;
  expect(() => store.append("a", [{ event, stage: "ended", summary: null }])).toThrow("table of upcasters");
});
