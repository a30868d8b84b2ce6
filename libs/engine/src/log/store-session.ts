import { statSync } from "node:fs";
import type { SQLInputValue, StatementSync } from "node:sqlite";
import type { Database } from "./database.ts";
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

export function startSession({ db, version, journal }: Database, file: string): Session {
  const statements = new Map<string, StatementSync>();
  const opened = inodes(file);
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
      if (db.isOpen) db.close();
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
    if (!db.isOpen || inodes(file) === opened) return;
    throw new StoreError("moved", `${file} was removed or replaced while it was open.`);
  }

  /** A newer Anneal may have changed the schema under this process. */
  function refuseMigrated(): void {
    const found = Number(prepared("PRAGMA user_version").get()?.user_version);
    if (found !== version) throw new StoreError("newer", `${file} now has schema version ${found}, not ${version}.`);
  }
}

/** Which files the names of a log lead to: the database and, while it is open, its journal. */
function inodes(file: string): string {
  const inodeOf = (path: string) => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
  return [file, `${file}-wal`, `${file}-shm`].map(inodeOf).join();
}
