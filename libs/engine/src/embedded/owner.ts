import { readFileSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { DatabaseSync } from "node:sqlite";
import { writeDurably } from "./durable-file.ts";
import { keepRuntimeFilesOut } from "./ignore-file.ts";
import { keepLock, putBackLock } from "./kept-log.ts";
import { makeFolder, type Places, placesOf } from "./places.ts";
import { asStoreError, StoreError } from "./store-error.ts";

/** The right to run the loops of a project. It lasts until it is released or the process is gone, however it goes. */
export interface Owner {
  release(): void;
}

/** Who owns a project, for messages only: after a crash the note stays behind, so it proves nothing. */
export interface OwnerNote {
  pid: number;
  host: string;
  /** When the owning process started, as an ISO date. */
  startedAt: string;
}

/** Makes this process the owner of a project, or answers null at once where there is one. */
export function becomeOwner(projectRoot: string): Owner | null {
  const places = placesOf(projectRoot);
  const lock = takeLock(projectRoot, places);
  if (lock === null) return null;
  writeNote(places);
  return {
    release: () => {
      if (!lock.isOpen) return;
      rmSync(places.ownerNote, { force: true });
      lock.close();
    },
  };
}

/** What the last owner wrote about itself, for a message such as "process 4711 runs this project". */
export function ownerNote(projectRoot: string): OwnerNote | null {
  try {
    const note: Partial<OwnerNote> = JSON.parse(readFileSync(placesOf(projectRoot).ownerNote, "utf8"));
    const { pid, host, startedAt } = note;
    if (typeof pid !== "number" || typeof host !== "string" || typeof startedAt !== "string") return null;
    return { pid, host, startedAt };
  } catch {
    return null;
  }
}

// A process must not open its own lock file in any other way: closing that handle would free the lock.
function takeLock(projectRoot: string, places: Places): DatabaseSync | null {
  let lock: DatabaseSync | null = null;
  try {
    makeFolder(places);
    keepRuntimeFilesOut(projectRoot);
    putBackLock(places);
    lock = new DatabaseSync(places.lock, { timeout: 0 });
    // IMMEDIATE takes a single lock in one step; EXCLUSIVE takes three, and of two that race both can lose.
    lock.exec("BEGIN IMMEDIATE");
    keepLock(places);
    return lock;
  } catch (error) {
    lock?.close();
    const named = asStoreError(error, places.lock);
    if (named instanceof StoreError && named.kind === "busy") return null;
    throw named;
  }
}

function writeNote({ ownerNote: file }: Places): void {
  const startedAt = new Date(performance.timeOrigin).toISOString();
  const note: OwnerNote = { pid: process.pid, host: hostname(), startedAt };
  try {
    writeDurably(file, `${JSON.stringify(note, null, 2)}\n`, { area: "owner-note" });
  } catch {
    // The lock is what counts; a message without a name is no reason to give it up.
  }
}
