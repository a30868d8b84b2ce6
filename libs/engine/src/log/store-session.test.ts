import { expect, test } from "vitest";
import { openDatabase } from "./database.ts";
import { logFolderOf, makeFolder } from "./log-folder.ts";
import { numberOf } from "./sql.ts";
import { startSession } from "./store-session.ts";
import { tempProject } from "./testing/project.ts";

const [NORMAL, FULL] = [1, 2];

test.for([
  ["a local disk", 0xef53, { unsynced: NORMAL }],
  ["a network disk, where there is no write-ahead log", 0x6969, { unsynced: FULL }],
] as const)("on %s, a write waits for the disk whatever was written before it", ([, type, { unsynced }]) => {
  const location = logFolderOf({ gitDir: tempProject() });
  makeFolder(location);
  const database = openDatabase(location, { access: "read-write", now: 0, diskType: () => type });
  const session = startSession(database, location.database);
  const level = () => numberOf(database.db, "PRAGMA synchronous");
  const fail = () => {
    throw new Error(`at level ${level()}`);
  };
  expect(session.write(level)).toBe(FULL);
  expect(session.writeUnsynced(level)).toBe(unsynced);
  expect(() => session.writeUnsynced(fail)).toThrow(`at level ${unsynced}`);
  expect(session.write(level)).toBe(FULL);
  expect(() => session.write(fail)).toThrow(`at level ${FULL}`);
  expect(session.writeUnsynced(level)).toBe(unsynced);
  session.close();
});
