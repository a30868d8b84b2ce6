import { renameSync, rmSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Stage } from "@anneal/types";
import { describe, expect, test } from "vitest";
import * as sql from "./statements.ts";
import type { LoopFilter } from "./store.ts";
import { StoreError } from "./store-error.ts";
import { bulky, entry } from "./testing/entries.ts";
import { inFolder, numbers, openFor, projectWithLog, tempProject } from "./testing/project.ts";

describe("the log", () => {
  test("gives every event the next number of the project, and keeps the order within each loop", () => {
    const store = openFor(tempProject());
    expect(store.append("a", [entry(1), entry(2)])).toEqual([1, 2]);
    expect(store.append("b", [entry(3)])).toEqual([3]);
    expect(store.append("a", [entry(4)])).toEqual([4]);
    expect([...store.events("a")].map(({ seq }) => seq)).toEqual([1, 2, 4]);
    expect([...store.events("a", 2)].map(({ seq }) => seq)).toEqual([4]);
    expect(store.allEvents(1, 2).map(({ seq, loop }) => [seq, loop])).toEqual([
      [2, "a"],
      [3, "b"],
    ]);
    expect(store.lastSeq()).toBe(4);
  });

  test("gives back what was written, with the stage that it led to, also after a restart", () => {
    const root = tempProject();
    const event = { type: "broke", at: 7, usage: {}, stage: "reviewing", reason: 'quotes " \u0000 \ud800 ü' } as const;
    const first = openFor(root);
    first.append("a", [{ event, stage: "waiting-for-human", summary: null }]);
    first.close();
    expect(openFor(root).allEvents(0, 10)).toEqual([{ seq: 1, loop: "a", stage: "waiting-for-human", event }]);
  });

  test("an empty log has the number 0 and no loops", () => {
    const store = openFor(tempProject());
    expect([store.lastSeq(), store.loops(), store.loop("a"), [...store.events("a")]]).toEqual([0, [], null, []]);
  });

  test("reads a loop of any length page by page, and goes on when events are added meanwhile", () => {
    const store = openFor(tempProject());
    store.append(
      "a",
      Array.from({ length: 128 }, (_, n) => entry(n)),
    );
    const reading = store.events("a");
    reading.next();
    store.append("b", [entry(0)]);
    store.append(
      "a",
      Array.from({ length: 200 }, (_, n) => entry(128 + n)),
    );
    expect(numbers(reading)).toEqual(Array.from({ length: 327 }, (_, n) => n + 1));
  });

  test("appends all events of a call or none", () => {
    const store = openFor(tempProject());
    const unknown = { event: { type: "made-up", at: 1 }, stage: "ended", summary: null } as never;
    expect(() => store.append("a", [entry(1), unknown])).toThrow("made-up");
    expect(() => store.append("a", [entry(1)], { taking: "nobody" })).toThrow(StoreError);
    expect(() => store.append("a", [])).toThrow(RangeError);
    expect([store.lastSeq(), store.loops()]).toEqual([0, []]);
    expect(store.append("a", [entry(1)])).toEqual([1]);
  });

  test("writes the same few pages for an event, however long the loop has become", () => {
    const root = tempProject();
    const store = openFor(root);
    const wal = inFolder(root, "log.db-wal");
    const truncate = () => {
      const other = new DatabaseSync(inFolder(root, "log.db"));
      other.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      other.close();
    };
    const pagesOfOneAppend = () => {
      truncate();
      store.append("a", [entry(1)]);
      return Math.floor(statSync(wal).size / 4096);
    };
    store.append("a", [entry(1)]);
    const atFirst = pagesOfOneAppend();
    for (let n = 0; n < 40; n += 1)
      store.append(
        "a",
        Array.from({ length: 250 }, () => entry(n)),
      );
    expect(pagesOfOneAppend()).toBeLessThanOrEqual(atFirst + 1);
    expect(atFirst).toBeLessThanOrEqual(5);
  });
});

describe("the list of loops", () => {
  test("holds the latest stage and summary, and the work item that the loop began with", () => {
    const store = openFor(tempProject());
    store.append("a", [entry(1, "implementing")], { of: { kind: "feature", item: "feature-1" } });
    store.append("a", [entry(2, "committing"), entry(3, "fixing")]);
    const row = { loop: "a", kind: "feature", item: "feature-1", stage: "fixing", summary: { n: 3 } };
    expect(store.loop("a")).toEqual({ ...row, firstSeq: 1, lastSeq: 3 });
  });

  test("a loop that names no work item is its own item", () => {
    const store = openFor(tempProject());
    store.append("a", [entry(1)]);
    expect(store.loop("a")).toMatchObject({ kind: "loop", item: "a" });
  });

  test.for<[{ open?: boolean }, string[]]>([
    [{}, ["z", "a", "m"]],
    [{ open: true }, ["z", "m"]],
    [{ open: false }, ["a"]],
  ])("filtered by %o it shows %o, oldest first", ([filter, expected]) => {
    const store = openFor(tempProject());
    for (const [loop, stage] of [
      ["z", "fixing"],
      ["a", "ended"],
      ["m", "waiting-for-human"],
    ] as [string, Stage][]) {
      store.append(loop, [entry(1, stage)]);
    }
    expect(store.loops(filter).map(({ loop }) => loop)).toEqual(expected);
  });

  test.for<[LoopFilter, string[]]>([
    [{ item: { kind: "feature", id: "x" } }, ["z", "a", "c"]],
    [{ item: { kind: "feature", id: "x" }, open: true }, ["c"]],
    [{ item: { kind: "feature", id: "x" }, open: false }, ["z", "a"]],
    [{ item: { kind: "story", id: "x" } }, ["m"]],
    [{ item: { kind: "feature", id: "X" } }, []],
    [{ kind: "story" }, ["m"]],
    [{ kind: "feature", open: true }, ["b", "c"]],
  ])("filtered by %o it shows %o, oldest first, and no other kind's item of that name", ([filter, expected]) => {
    const store = openFor(tempProject());
    for (const [loop, kind, item, stage] of [
      ["z", "feature", "x", "ended"],
      ["m", "story", "x", "fixing"],
      ["b", "feature", "y", "fixing"],
      ["a", "feature", "x", "fixing"],
      ["c", "feature", "x", "fixing"],
    ] as [string, string, string, Stage][]) {
      store.append(loop, [entry(1, stage)], { of: { kind, item } });
    }
    store.append("a", [entry(2, "ended")]);
    expect(store.loops(filter).map(({ loop }) => loop)).toEqual(expected);
  });

  test("tells the items, the branches that loops worked on and those that their work goes into, each once", () => {
    const store = openFor(tempProject());
    for (const [loop, kind, item, branch, into] of [
      ["a~1", "feature", "a", "feature/a", "main"],
      ["a~2", "feature", "a", "feature/a2", "main"],
      ["b~1", "unit", "b", "feature/a", "next"],
      ["c~1", "feature", "c", null, undefined],
    ] as const) {
      const { event } = entry(1);
      store.append(loop, [{ ...entry(1), event: { ...event, into }, summary: { branch } } as never], {
        of: { kind, item },
      });
      store.append(loop, [{ ...entry(2), summary: { branch } } as never]);
    }
    const of = (loops: object[], ...keys: string[]) =>
      loops.map((one) => keys.map((key) => one[key as keyof object]).join(" ")).sort();
    expect(of(store.items(), "kind", "item")).toEqual(["feature a", "feature c", "unit b"]);
    expect(of(store.branches(), "kind", "branch")).toEqual([
      "feature feature/a",
      "feature feature/a2",
      "unit feature/a",
    ]);
    expect(store.targets().sort()).toEqual(["main", "next"]);
    expect(store.loops({ branch: "feature/a" }).map(({ loop }) => loop)).toEqual(["a~1", "b~1"]);
  });

  test.for([
    ["open loops", sql.loopsWhere({ open: true }).query, "loops_open"],
    [
      "the loops of an item",
      sql.loopsWhere({ item: { kind: "feature", id: "x" } }).query,
      "loops_of_item (item=? AND kind=?)",
    ],
    [
      "the open loops of an item",
      sql.loopsWhere({ item: { kind: "feature", id: "x" }, open: true }).query,
      "loops_of_item (item=? AND kind=?)",
    ],
    [
      "the ended loops of an item",
      sql.loopsWhere({ item: { kind: "feature", id: "x" }, open: false }).query,
      "loops_of_item (item=? AND kind=?)",
    ],
    ["loops whose files are behind", sql.BEHIND, "loops_behind"],
    ["what was used since a moment", sql.USED_SINCE, "PRIMARY KEY (at>?)"],
    ["waiting messages", sql.WAITING, "inbox_waiting"],
  ] as const)("%s are found without looking at all the others", ([, query, index]) => {
    const root = projectWithLog();
    const db = new DatabaseSync(inFolder(root, "log.db"));
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${query}`).all();
    db.close();
    // One step: rows come out of the index in their order, without a sort.
    expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining(index)]);
  });
});

describe("the inbox", () => {
  test("takes the same id once, keeps the order, and can be read for one loop", () => {
    const store = openFor(tempProject(), { clock: { now: () => 5 } });
    expect(store.post({ id: "z", loop: "a", body: { signal: "pause" } })).toBe(true);
    expect(store.post({ id: "y", loop: "b", body: 2 })).toBe(true);
    expect(store.post({ id: "x", loop: null, body: 3 })).toBe(true);
    expect(store.post({ id: "z", loop: "b", body: "other" })).toBe(false);
    expect(store.takeInbox().map(({ id }) => id)).toEqual(["z", "y", "x"]);
    expect(store.takeInbox("a")).toEqual([{ id: "z", at: 5, loop: "a", body: { signal: "pause" } }]);
  });

  test("a message and the event made of it are one step: it is gone from the inbox, and never becomes a second event", () => {
    const store = openFor(tempProject());
    store.post({ id: "one", loop: "a", body: 1 });
    store.append("a", [entry(1)], { taking: "one" });
    expect(store.takeInbox()).toEqual([]);
    expect(() => store.append("a", [entry(2)], { taking: "one" })).toThrow(
      expect.objectContaining({ name: "StoreError", kind: "taken" }),
    );
    expect(store.post({ id: "one", loop: "a", body: 1 })).toBe(false);
    expect([store.takeInbox(), store.lastSeq()]).toEqual([[], 1]);
  });

  test("messages that become no event can be ended", () => {
    const store = openFor(tempProject());
    for (const id of ["1", "2", "3"]) store.post({ id, loop: "a", body: null });
    store.markTaken(["1", "3"], store.lastSeq());
    expect(store.takeInbox().map(({ id }) => id)).toEqual(["2"]);
  });

  test("whoever left a message can see what became of it, and why it was refused, also after a restart", () => {
    const root = tempProject();
    const store = openFor(root);
    for (const id of ["event", "plain", "refused", "waits"]) store.post({ id, loop: "a", body: null });
    store.append("a", [entry(1)], { taking: "event" });
    store.markTaken(["plain"], store.lastSeq());
    store.markTaken(["refused", "event"], store.lastSeq(), "it has ended");
    store.close();
    const reader = openFor(root, { readOnly: true });
    const answers = ["event", "plain", "refused", "waits", "nobody's"].map((id) => reader.inboxAnswer(id));
    expect(answers).toEqual([
      { taken: true, reason: null },
      { taken: true, reason: null },
      { taken: true, reason: "it has ended" },
      { taken: false, reason: null },
      { taken: false, reason: null },
    ]);
  });
});

describe("two connections", () => {
  test("a mark changes with every commit, whoever makes it, but for our own note on what the files tell of", () => {
    const root = tempProject();
    const [mine, theirs] = [openFor(root), openFor(root)];
    const marks = [mine.mark(), mine.mark()];
    theirs.post({ id: "1", loop: "a", body: 1 });
    marks.push(mine.mark(), mine.mark());
    mine.append("a", [entry(1)]);
    marks.push(mine.mark());
    mine.markProjected("a", 1);
    marks.push(mine.mark());
    theirs.markProjected("a", 2);
    marks.push(mine.mark());
    expect(marks.map((mark) => marks.indexOf(mark))).toEqual([0, 0, 2, 2, 4, 4, 6]);
  });

  test("a reader sees what the owner adds, and is refused when it writes", () => {
    const root = projectWithLog();
    const owner = openFor(root);
    const reader = openFor(root, { readOnly: true });
    owner.append("a", [entry(4)]);
    expect(numbers(reader.events("a"))).toEqual([1, 2, 3, 4]);
    expect(() => reader.post({ id: "1", loop: "a", body: 1 })).toThrow(expect.objectContaining({ kind: "read-only" }));
  });

  test.for([
    ["removed", (path: string) => rmSync(path)],
    ["replaced", (path: string) => renameSync(path, `${path}.old`)],
  ] as const)("a log that was %s under the process takes no more events", ([, change]) => {
    const root = projectWithLog();
    const store = openFor(root);
    change(inFolder(root, "log.db"));
    expect(() => store.append("a", [entry(4)])).toThrow(expect.objectContaining({ kind: "moved" }));
  });
});

test("a closed store says so, and closing twice is no error", () => {
  const store = openFor(tempProject());
  store.close();
  store.close();
  expect(() => store.append("a", [entry(1)])).toThrow(expect.objectContaining({ kind: "closed" }));
  expect(() => store.lastSeq()).toThrow(expect.objectContaining({ kind: "closed" }));
});

test("a sound log has nothing to report", () => {
  const store = openFor(tempProject());
  store.append("a", [bulky(1, 100_000)]);
  expect(store.check()).toEqual([]);
});
