import { readFileSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { DatabaseSync } from "node:sqlite";
import { writeDurably } from "./durable-file.ts";
import { type GitFolder, type LogFolder, logFolderOf, makeFolder } from "./log-folder.ts";
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
export function becomeOwner(repo: GitFolder): Owner | null {
  const location = logFolderOf(repo);
  const lock = takeLock(location);
  if (lock === null) return null;
  writeNote(location);
  return {
    release: () => {
      if (!lock.isOpen) return;
      rmSync(location.ownerNote, { force: true });
      lock.close();
    },
  };
}

/** What the last owner wrote about itself, for a message such as "process 4711 runs this project". */
export function ownerNote(repo: GitFolder): OwnerNote | null {
  try {
    const note: Partial<OwnerNote> = JSON.parse(readFileSync(logFolderOf(repo).ownerNote, "utf8"));
    const { pid, host, startedAt } = note;
    if (typeof pid !== "number" || typeof host !== "string" || typeof startedAt !== "string") return null;
    return { pid, host, startedAt };
  } catch {
    return null;
  }
}

// A process must not open its own lock file in any other way: closing that handle would free the lock.
function takeLock(location: LogFolder): DatabaseSync | null {
  let lock: DatabaseSync | null = null;
  try {
    makeFolder(location);
    lock = new DatabaseSync(location.lock, { timeout: 0 });
    // IMMEDIATE takes a single lock in one step; EXCLUSIVE takes three, and of two that race both can lose.
    lock.exec("BEGIN IMMEDIATE");
    return lock;
  } catch (error) {
    lock?.close();
    const named = asStoreError(error, location.lock);
    if (named instanceof StoreError && named.kind === "busy") return null;
    throw named;
  }
}

function writeNote({ ownerNote: file }: LogFolder): void {
  const startedAt = new Date(performance.timeOrigin).toISOString();
  const note: OwnerNote = { pid: process.pid, host: hostname(), startedAt };
  try {
    writeDurably(file, `${JSON.stringify(note, null, 2)}\n`, { area: "owner-note" });
  } catch {
    // The lock is what counts; a message without a name is no reason to give it up.
  }
}
