import { type Stats, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { LogFolder } from "./log-folder.ts";
import { MIGRATIONS, migrate, versionFound } from "./migrations.ts";
import { type DiskType, networkDisk } from "./network-disk.ts";
import { asStoreError, StoreError } from "./store-error.ts";

const BUSY_TIMEOUT_MS = 5_000;
const SWITCH_ATTEMPTS = 100;
const SWITCH_PAUSE_MS = 20;

export interface DatabaseOptions {
  access: "read-write" | "read-only";
  now: number;
  diskType?: DiskType | undefined;
  migrations?: readonly string[] | undefined;
}

export interface Database {
  db: DatabaseSync;
  /** The schema version that this process works with. */
  version: number;
  journal: "wal" | "truncate";
}

// Nothing here may open the database file itself: closing any handle on it would drop SQLite's locks for the whole process.
/** Opens the log, brings it up to date and makes it durable; refuses, untouched, what it cannot vouch for. */
export function openDatabase({ folder, database: file }: LogFolder, options: DatabaseOptions): Database {
  const { access, now, diskType, migrations = MIGRATIONS } = options;
  refuseLostLog(file, access);
  const network = networkDisk(folder, diskType);
  const db = connect(file, access);
  try {
    // Without shared memory: needed where a database in WAL mode was moved to a network disk.
    if (network !== null && access === "read-write") db.exec("PRAGMA locking_mode = EXCLUSIVE");
    const from = versionFound(db, file, migrations.length);
    if (access === "read-only") {
      // Its maker has set the journal, and is about to make the tables.
      if (from === 0) throw noLog(file);
      if (from < migrations.length) throw new StoreError("outdated", `${file} has an older schema (version ${from}).`);
    } else {
      setJournal(db, network === null ? "wal" : "truncate");
      db.exec("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA journal_size_limit = 16777216");
      migrate(db, { file, from, migrations, now });
    }
    return { db, version: migrations.length, journal: network === null ? "wal" : "truncate" };
  } catch (error) {
    db.close();
    throw asStoreError(error, file);
  }
}

function connect(file: string, access: DatabaseOptions["access"]): DatabaseSync {
  try {
    return new DatabaseSync(file, {
      readOnly: access === "read-only",
      timeout: BUSY_TIMEOUT_MS,
      enableForeignKeyConstraints: true,
    });
  } catch (error) {
    throw asStoreError(error, file);
  }
}

function refuseLostLog(file: string, access: DatabaseOptions["access"]): void {
  // In this order, as a database that is just being made is never empty once its journal is not.
  const journalSize = statOf(`${file}-wal`)?.size ?? 0;
  const size = statOf(file)?.size ?? 0;
  // SQLite would delete the journal of an empty database, and with it the only copy of the events.
  if (size === 0 && journalSize > 0) {
    throw new StoreError("damaged", `${file} is empty, but its journal (-wal) is not.`);
  }
  if (size === 0 && access === "read-only") throw noLog(file);
}

function noLog(file: string): StoreError {
  return new StoreError("missing", `There is no log at ${file}.`);
}

function setJournal(db: DatabaseSync, journal: Database["journal"]): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const mode = db.prepare(`PRAGMA journal_mode = ${journal}`).get()?.journal_mode;
      if (mode !== journal) throw new Error(`SQLite keeps the journal mode ${mode} where ${journal} is needed.`);
      break;
    } catch (error) {
      if (attempt === SWITCH_ATTEMPTS || !isBusy(error)) throw error;
      // Two processes that open a new database at once: SQLite does not wait for this lock by itself.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SWITCH_PAUSE_MS);
    }
  }
  if (journal === "truncate") db.exec("PRAGMA locking_mode = NORMAL; SELECT count(*) FROM sqlite_schema");
}

function isBusy(error: unknown): boolean {
  const named = asStoreError(error, "");
  return named instanceof StoreError && named.kind === "busy";
}

export function statOf(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null;
}
