import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { MIGRATIONS } from "./migrations.ts";
import { entry } from "./testing/entries.ts";
import { inFolder, numbers, openFor, tempProject } from "./testing/project.ts";

/** A log as version 1 left it: a loop that waits, one that has ended, one message taken and one waiting. */
function projectOfVersion1(): string {
  const root = tempProject();
  const db = new DatabaseSync(inFolder(root, "log.db"));
  db.exec(`PRAGMA journal_mode = WAL; ${MIGRATIONS[0]}; PRAGMA application_id = 0x414e4e4c; PRAGMA user_version = 1`);
  const addEvent = db.prepare(
    "INSERT INTO events (loop, at, type, version, stage, body) VALUES (?, ?, ?, 1, 'reviewing', ?)",
  );
  const addLoop = db.prepare("INSERT INTO loops VALUES (?, 'feature', ?, ?, '{\"n\":1}', ?, ?)");
  db.exec("BEGIN");
  for (const [loop, at, usage] of [
    ["ended", 100, { inputTokens: 1_000, outputTokens: 200, costUsd: 0.25 }],
    ["open", 200, { costUsd: 0.5 }],
    ["open", 300, { inputTokens: 30 }],
    ["open", 400, {}],
  ] as const) {
    addEvent.run(loop, at, "broke", JSON.stringify({ type: "broke", at, usage, stage: "reviewing", reason: "\0" }));
  }
  addEvent.run("open", 500, "nothing-to-commit", '{"type":"nothing-to-commit","at":500}');
  addLoop.run("ended", "f1", "ended", 1, 1);
  addLoop.run("open", "f2", "waiting-for-human", 2, 5);
  db.exec(`INSERT INTO inbox VALUES (1, 'heard', 1, 'open', '1', 2), (2, 'waits', 2, 'open', '2', NULL); COMMIT`);
  db.close();
  return root;
}

test("a log of version 1 is brought to today's with everything in it", () => {
  const root = projectOfVersion1();
  const store = openFor(root);
  expect(numbers(store.events("open"))).toEqual([200, 300, 400, 500]);
  expect(store.loops().map(({ loop, item, lastSeq, summary }) => [loop, item, lastSeq, summary])).toEqual([
    ["ended", "f1", 1, { n: 1 }],
    ["open", "f2", 5, { n: 1 }],
  ]);
  expect(store.loops({ item: { kind: "feature", id: "f2" }, open: true }).map(({ loop }) => loop)).toEqual(["open"]);
  expect(store.takeInbox().map(({ id }) => id)).toEqual(["waits"]);
  expect(store.inboxAnswer("heard")).toEqual({ taken: true, reason: null });
  expect(store.append("open", [entry(600)], { taking: "waits" })).toEqual([6]);
  expect(store.check()).toEqual([]);
  const backups = readdirSync(join(root, "anneal")).filter((name) => name.includes("backup-v1"));
  expect(backups).toHaveLength(1);
});

test("what version 1 noted nowhere: files of open loops count as behind, those of ended ones as written", () => {
  const store = openFor(projectOfVersion1());
  expect(store.behind().map(({ loop }) => loop)).toEqual(["open"]);
  expect(store.projected("ended")).toBe(1);
});

test.for([
  [0, { tokens: 1_230, costUsd: 0.75 }],
  [101, { tokens: 30, costUsd: 0.5 }],
  [300, { tokens: 30, costUsd: 0 }],
  [301, { tokens: 0, costUsd: 0 }],
] as const)("what version 1 kept in events only: used since %i is %o", ([since, used]) => {
  expect(openFor(projectOfVersion1()).usedSince(since)).toEqual(used);
});

test("a spoilt event of version 1 does not stand in the way; it is named when it is read", () => {
  const root = projectOfVersion1();
  const db = new DatabaseSync(inFolder(root, "log.db"));
  db.exec(`UPDATE events SET body = '{"cut' WHERE seq = 1`);
  db.close();
  const store = openFor(root);
  expect(store.usedSince(0)).toEqual({ tokens: 30, costUsd: 0.5 });
  expect(() => store.allEvents(0, 1)).toThrow(expect.objectContaining({ kind: "damaged" }));
});
