import type { SQLInputValue, StatementSync } from "node:sqlite";
import type { Database } from "./database.ts";
import { forgetJournal, isKept, openFiles, putBackLog, tell } from "./kept-log.ts";
import type { Places } from "./places.ts";
import { type Row, transaction } from "./sql.ts";
import { asStoreError, StoreError } from "./store-error.ts";

/** A connection with its prepared statements; every failure leaves it by name, and usable. */
export interface Session {
  all(query: string, ...values: SQLInputValue[]): Row[];
  /** Runs a statement and tells how many rows it changed. */
  run(query: string, ...values: SQLInputValue[]): number;
  /** Runs an insert and tells the key of the new row. */
  insert(query: string, ...values: SQLInputValue[]): number;
  /** Everything inside is committed together, or not at all. */
  write<T>(work: () => T): T;
  /** As `write`, for what may be lost in a power cut: it does not wait for the disk, and is no news to ourselves. */
  writeUnsynced<T>(work: () => T): T;
  mark(): string;
  close(): void;
}

export function startSession({ db, version, journal }: Database, places: Places): Session {
  const { database: file } = places;
  const statements = new Map<string, StatementSync>();
  const opened = openFiles(places);
  let isTold = false;
  let commits = 0;
  let sync: "FULL" | "NORMAL" = "FULL";

  const named = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw asStoreError(error, file);
    }
  };
  const prepared = (query: string): StatementSync => {
    const known = statements.get(query);
    if (known !== undefined) return known;
    const fresh = db.prepare(query);
    statements.set(query, fresh);
    return fresh;
  };
  const all = (query: string, ...values: SQLInputValue[]) => named(() => prepared(query).all(...values));

  return {
    all,
    run: (query, ...values) => Number(prepared(query).run(...values).changes),
    insert: (query, ...values) => Number(prepared(query).run(...values).lastInsertRowid),
    write: (work) =>
      named(() => {
        setSync("FULL");
        const result = commit(work);
        commits += 1;
        return result;
      }),
    writeUnsynced: (work) =>
      named(() => {
        // Without a WAL, a commit that is not synced could leave the file damaged after a power cut.
        setSync(journal === "wal" ? "NORMAL" : "FULL");
        return commit(work);
      }),
    // SQLite counts the commits of other connections, and we our own.
    mark: () => `${Number(all("PRAGMA data_version")[0]?.data_version)}.${commits}`,
    close: () => {
      if (!db.isOpen) return;
      // SQLite empties its journal only into a database that is where it was.
      const isWhole = isInPlace();
      db.close();
      if (isWhole) forgetJournal(places);
    },
  };

  function commit<T>(work: () => T): T {
    refuseMoved();
    return transaction(db, () => {
      refuseMigrated();
      return work();
    });
  }

  /** Fails inside a transaction; the level that we believe in is always the one that SQLite has. */
  function setSync(wanted: typeof sync): void {
    if (wanted === sync) return;
    db.exec(`PRAGMA synchronous = ${wanted}`);
    sync = wanted;
  }

  /** A deleted file still takes writes that nobody will ever read. */
  function refuseMoved(): void {
    // A closed one says so by itself, and its journal is rightly gone.
    if (!db.isOpen || isInPlace()) return;
    if (!isKept(places, opened)) throw new StoreError("moved", `${file} was removed or replaced while it was open.`);
    if (isTold) return;
    isTold = true;
    tell(
      `${file} was exchanged for another while it was open, as by a branch that tracks it. This process goes on with its own, which is back when that branch is left.`,
    );
  }

  function isInPlace(): boolean {
    if (isSame()) return true;
    try {
      putBackLog(places, "leave");
    } catch {
      // Then it still is not there.
    }
    return isSame();
  }

  function isSame(): boolean {
    const now = openFiles(places);
    return now.database !== null && (["database", "wal", "shm"] as const).every((name) => now[name] === opened[name]);
  }

  /** A newer Anneal may have changed the schema under this process. */
  function refuseMigrated(): void {
    const found = Number(prepared("PRAGMA user_version").get()?.user_version);
    if (found !== version) throw new StoreError("newer", `${file} now has schema version ${found}, not ${version}.`);
  }
}
