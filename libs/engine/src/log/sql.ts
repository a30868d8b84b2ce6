import type { DatabaseSync, SQLOutputValue } from "node:sqlite";

export type Row = Record<string, SQLOutputValue>;

/** All or nothing. The lock is taken at the start, so that work which was begun can also be finished. */
export function transaction<T>(db: DatabaseSync, work: () => T): T {
  return between("BEGIN IMMEDIATE", db, work);
}

/** Reads several things as they were at one moment. */
export function snapshot<T>(db: DatabaseSync, read: () => T): T {
  return between("BEGIN DEFERRED", db, read);
}

function between<T>(begin: string, db: DatabaseSync, work: () => T): T {
  db.exec(begin);
  try {
    const result = work();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

/** The single number that a query or pragma answers with. */
export function numberOf(db: DatabaseSync, query: string): number {
  const row = db.prepare(query).get();
  return Number(row === undefined ? 0 : (Object.values(row)[0] ?? 0));
}

function rollBack(db: DatabaseSync): void {
  // A full disk makes SQLite roll back by itself, and then there is no transaction left to end.
  if (!db.isTransaction) return;
  try {
    db.exec("ROLLBACK");
  } catch {
    // The failure that led here is the one worth reporting; the next BEGIN shows whether this one lasts.
  }
}
