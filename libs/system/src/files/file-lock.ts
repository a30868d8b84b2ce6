import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { FileBusy } from "./errors.ts";

/** How long one try may block this process; others hold the lock for well under a millisecond. */
const BLOCK_MS = 20;
const PAUSE_MS = 25;
const TRIES = 400;

/**
 * Runs `act` while this process alone holds the lock, and frees it right after.
 * The lock is SQLite's write lock on an empty database: the kernel frees it when a process dies, which a lock file
 * that is created and removed cannot promise. Nothing is ever written to it, so there is nothing to corrupt.
 * `act` is synchronous on purpose: no other code of this process can run, and wait for the lock, while it is held.
 */
export async function underLock<T>(lock: string, act: () => T): Promise<T> {
  for (let tries = 0; tries < TRIES; tries++) {
    const outcome = tryUnderLock(lock, act);
    if (outcome.held) return outcome.result;
    await delay(PAUSE_MS);
  }
  throw new FileBusy(lock, "another process holds this lock; wait until it ends, or stop it");
}

/** The same for work that takes time: others wait, those of this process too, so `work` must not ask for the lock again. */
export async function whileLocked<T>(lock: string, work: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < TRIES; tries++) {
    const database = open(lock);
    try {
      if (begin(lock, database)) return await work();
    } finally {
      database.close();
    }
    await delay(PAUSE_MS);
  }
  throw new FileBusy(lock, "another process holds this lock; wait until it ends, or stop it");
}

function tryUnderLock<T>(lock: string, act: () => T): { held: true; result: T } | { held: false } {
  const database = databaseAt(lock);
  try {
    if (!begin(lock, database)) return { held: false };
    const result = act();
    database.exec("ROLLBACK");
    return { held: true, result };
  } catch (error) {
    // Closing rolls back, and with it the lock is gone.
    letGo(lock);
    throw error;
  }
}

/** Locks that were used last, open: to open one takes ten times as long as to take it. */
const opened = new Map<string, { database: DatabaseSync; file: string }>();
const KEPT = 16;

function databaseAt(lock: string): DatabaseSync {
  const known = opened.get(lock);
  // A file that was put in its place is another lock, and the one that others take.
  if (known !== undefined && known.file === identityOf(lock)) return known.database;
  letGo(lock);
  const [oldest] = opened.keys();
  if (opened.size >= KEPT && oldest !== undefined) letGo(oldest);
  const database = open(lock);
  opened.set(lock, { database, file: identityOf(lock) });
  return database;
}

function letGo(lock: string): void {
  opened.get(lock)?.database.close();
  opened.delete(lock);
}

function identityOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "gone" : `${found.dev} ${found.ino}`;
}

const SQLITE_BUSY = 5;
/** A folder or something that may not be read lies there, or a file of something else. */
const NO_LOCK: readonly unknown[] = [14, 26];

function open(lock: string): DatabaseSync {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(lock, { timeout: BLOCK_MS });
    database.exec("PRAGMA journal_mode = MEMORY");
    return database;
  } catch (error) {
    database?.close();
    throw named(lock, error);
  }
}

function begin(lock: string, database: DatabaseSync): boolean {
  try {
    database.exec("BEGIN IMMEDIATE");
    return true;
  } catch (error) {
    if (codeOf(error) === SQLITE_BUSY) return false;
    throw named(lock, error);
  }
}

function named(lock: string, error: unknown): unknown {
  if (!NO_LOCK.includes(codeOf(error))) return error;
  return new FileBusy(lock, "this file is not a lock of Anneal; move it away, then try again");
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "errcode" in error ? error.errcode : undefined;
}
