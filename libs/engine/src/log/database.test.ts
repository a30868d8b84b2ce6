import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { MIGRATIONS } from "./migrations.ts";
import type { Store } from "./store.ts";
import { startChild } from "./testing/child.ts";
import { bulky, entry } from "./testing/entries.ts";
import { inFolder, logHashes, numbers, openFor, projectWithLog, tempProject } from "./testing/project.ts";

const NOW = Date.UTC(2030, 0, 2, 3, 4, 5, 678);
const FURTHER = "ALTER TABLE loops ADD COLUMN colour TEXT";

describe("what cannot be vouched for is refused and left as it is", () => {
  const withDatabase = (make: (path: string) => void) => (root: string) => make(inFolder(root, "log.db"));
  const sql = (text: string) => (root: string) => {
    const db = new DatabaseSync(inFolder(root, "log.db"));
    db.exec(text);
    db.close();
  };
  test.for<[string, string, (root: string) => void]>([
    ["a file that is no database", "damaged", withDatabase((path) => writeFileSync(path, "no database ".repeat(999)))],
    ["a database that was cut off", "damaged", withDatabase((path) => truncateSync(path, 5_000))],
    [
      "a database whose start was overwritten",
      "damaged",
      withDatabase((path) => writeFileSync(path, "x", { flag: "r+" })),
    ],
    [
      "an emptied database beside its journal",
      "damaged",
      (root) => {
        truncateSync(inFolder(root, "log.db"));
        writeFileSync(inFolder(root, "log.db-wal"), "events");
      },
    ],
    ["a database of a newer Anneal", "newer", sql("PRAGMA user_version = 99")],
    ["a database of another program", "foreign", sql("PRAGMA application_id = 7")],
    ["a database without a version", "foreign", sql("PRAGMA user_version = 0")],
  ])("%s: %s", ([, kind, spoil]) => {
    const root = projectWithLog();
    spoil(root);
    const before = logHashes(root);
    for (const readOnly of [false, true]) {
      expect(() => openFor(root, { readOnly })).toThrow(expect.objectContaining({ name: "StoreError", kind }));
    }
    // Looking at a database may leave an empty journal next to it.
    expect(logHashes(root)).toMatchObject(before);
  });

  test("damage in the middle is named when it is read", () => {
    const root = tempProject();
    const store = openFor(root);
    for (let n = 0; n < 20; n += 1) store.append("a", [bulky(n, 20_000)]);
    store.close();
    const path = inFolder(root, "log.db");
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xff, 8 * 4096));
    const damaged = openFor(root);
    expect(() => [...damaged.events("a")]).toThrow(expect.objectContaining({ kind: "damaged" }));
    expect(damaged.check()).not.toEqual([]);
  });

  test.for([
    ["events", "body", "event 1", (store: Store) => store.allEvents(0, 1)],
    ["loops", "summary", "loop a", (store: Store) => store.loops()],
  ] as const)("a row of %s that was spoilt in its %s is named: %s", ([table, column, what, read]) => {
    const root = projectWithLog();
    const db = new DatabaseSync(inFolder(root, "log.db"));
    db.exec(`UPDATE ${table} SET ${column} = '{"cut'`);
    db.close();
    const store = openFor(root);
    expect(() => read(store)).toThrow(
      expect.objectContaining({ kind: "damaged", message: expect.stringContaining(what) }),
    );
  });

  test("reading needs a log, and makes none", () => {
    const root = tempProject();
    expect(() => openFor(root, { readOnly: true })).toThrow(expect.objectContaining({ kind: "missing" }));
    expect(readdirSync(root)).toEqual([]);
  });

  test("a project folder that does not exist is not made", () => {
    const root = join(tempProject(), "mistyped");
    expect(() => openFor(root)).toThrow(expect.objectContaining({ kind: "cannot-open" }));
    expect(existsSync(root)).toBe(false);
  });

  test("an empty file is a new log", () => {
    const root = tempProject();
    writeFileSync(inFolder(root, "log.db"), "");
    expect(openFor(root).append("a", [entry(1)])).toEqual([1]);
  });
});

describe("the journal", () => {
  const journalOnDisk = (root: string) => {
    const db = new DatabaseSync(inFolder(root, "log.db"), { readOnly: true });
    const mode = db.prepare("PRAGMA journal_mode").get()?.journal_mode;
    db.close();
    return mode;
  };
  test.for([
    ["a local disk (ext4)", 0xef53, "wal"],
    ["NFS", 0x6969, "truncate"],
    ["SMB", 0x517b, "truncate"],
    ["CIFS", 0xff534d42, "truncate"],
    ["CIFS, as a negative number", 0xff534d42 | 0, "truncate"],
    ["SMB2", 0xfe534d42, "truncate"],
    ["FUSE, such as sshfs", 0x65735546, "truncate"],
  ] as const)("on %s (%i) is %s", ([, type, journal]) => {
    const root = tempProject();
    const store = openFor(root, { diskType: () => type });
    expect(store.journal).toBe(journal);
    store.append("a", [entry(1)]);
    expect(existsSync(inFolder(root, "log.db-wal"))).toBe(journal === "wal");
    const second = openFor(root, { diskType: () => type });
    second.append("a", [entry(2)]);
    expect(numbers(store.events("a"))).toEqual([1, 2]);
  });

  test("follows a project that moves to a network disk and back", () => {
    const root = projectWithLog();
    expect(journalOnDisk(root)).toBe("wal");
    for (const [type, n] of [
      [0x6969, 4],
      [0xef53, 5],
    ] as const) {
      const store = openFor(root, { diskType: () => type });
      store.append("a", [entry(n)]);
      expect(existsSync(inFolder(root, "log.db-wal"))).toBe(type === 0xef53);
      store.close();
    }
    expect(numbers(openFor(root).events("a"))).toEqual([1, 2, 3, 4, 5]);
  });

  test("on a network disk needs no shared memory, not even to leave WAL behind", () => {
    const root = projectWithLog();
    mkdirSync(inFolder(root, "log.db-shm"));
    expect(openFor(root, { diskType: () => 0x6969 }).append("a", [entry(4)])).toEqual([4]);
  });
});

describe("a migration", () => {
  const backups = (root: string) => readdirSync(join(root, "anneal")).filter((name) => name.includes("backup"));

  test("leaves a dated copy of what was there, which opens as the log it was", () => {
    const root = projectWithLog();
    const store = openFor(root, { clock: { now: () => NOW }, migrations: [...MIGRATIONS, FURTHER] });
    store.append("a", [entry(4)]);
    expect(numbers(store.events("a"))).toEqual([1, 2, 3, 4]);
    expect(backups(root)).toEqual([`log.db.backup-v${MIGRATIONS.length}-20300102T030405678Z`]);
    const restored = tempProject();
    writeFileSync(inFolder(restored, "log.db"), readFileSync(inFolder(root, backups(root)[0] ?? "")));
    expect(numbers(openFor(restored).events("a"))).toEqual([1, 2, 3]);
  });

  test("of a new log, or of one that is up to date, needs no copy", () => {
    const root = tempProject();
    openFor(root, { migrations: [...MIGRATIONS, FURTHER] }).close();
    openFor(root, { migrations: [...MIGRATIONS, FURTHER] }).close();
    expect(backups(root)).toEqual([]);
  });

  test("that fails changes nothing, and the next attempt keeps its own copy", () => {
    const root = projectWithLog();
    const broken = [...MIGRATIONS, `${FURTHER}; INSERT INTO nowhere VALUES (1)`];
    expect(() => openFor(root, { migrations: broken })).toThrow("nowhere");
    expect(() => openFor(root, { migrations: broken })).toThrow("nowhere");
    expect(backups(root)).toHaveLength(2);
    expect(numbers(openFor(root).events("a"))).toEqual([1, 2, 3]);
  });

  test("is not made by a reader", () => {
    const root = projectWithLog();
    const migrations = [...MIGRATIONS, FURTHER];
    expect(() => openFor(root, { readOnly: true, migrations })).toThrow(expect.objectContaining({ kind: "outdated" }));
  });

  test("by a newer Anneal stops an older one that is still running from writing", () => {
    const root = projectWithLog();
    const older = openFor(root);
    openFor(root, { migrations: [...MIGRATIONS, FURTHER] });
    expect(() => older.append("a", [entry(4)])).toThrow(expect.objectContaining({ kind: "newer" }));
    expect(older.lastSeq()).toBe(3);
  });

  test.for([
    ["of a new log", () => tempProject(), "0"],
    ["of an old log", () => projectWithLog(), "3"],
  ] as const)(
    "%s by several processes at the same moment is made once, and all get the log",
    async ([, make, last]) => {
      const openers = Array.from({ length: 4 }, () => startChild("opener", [FURTHER]));
      for (const opener of openers) expect(await opener.next()).toBe("ready");
      for (let round = 0; round < 10; round += 1) {
        const root = make();
        for (const opener of openers) opener.send(root);
        expect(await Promise.all(openers.map((opener) => opener.next()))).toEqual(openers.map(() => last));
      }
    },
  );

  test.for([
    "backup.write.before",
    "backup.rename.before",
    "backup.rename.after",
    "migration.commit.before",
    "migration.commit.after",
  ])("killed at %s is made at the next start", async (point) => {
    const root = projectWithLog();
    const child = startChild("opener", [FURTHER], { ANNEAL_FAILPOINT: point });
    child.send(root);
    expect(await child.end()).toEqual({ lines: ["ready"], signal: "SIGKILL" });
    const store = openFor(root, { migrations: [...MIGRATIONS, FURTHER] });
    expect(numbers(store.events("a"))).toEqual([1, 2, 3]);
    expect(store.append("a", [entry(4)])).toEqual([4]);
    expect(backups(root).filter((name) => !name.endsWith(".anneal-tmp")).length).toBeGreaterThan(0);
  });
});
