import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { syncFolder } from "./durable-file.ts";
import { makeFolder, type Places } from "./places.ts";
import {
  hasCode,
  inodeOf,
  linkAside,
  linkBack,
  type SecondNames,
  secondNames,
  secondOf,
  standing,
} from "./second-names.ts";
import { StoreError } from "./store-error.ts";

// A branch that tracks the log exchanges it for another when it is checked out, and takes it along when it is left. Git does
// so by removing the name and making a new file, so a second name in its own folder, where no branch comes, keeps the log.

const DATABASE = "anneal.db";
const LOCK = "anneal.lock";
/** What SQLite has beside the database while it is open. */
const COMPANIONS = ["anneal.db-shm", "anneal.db-wal", "anneal.db-journal"];

/** Stands for a second name where the disk has none. */
const NO_LINKS = "no-links";

/** What a session has open; null for a file that there was not. */
export type OpenFiles = Record<"database" | "wal" | "shm", bigint | null>;

export function openFiles({ database }: Places): OpenFiles {
  return { database: inodeOf(database), wal: inodeOf(`${database}-wal`), shm: inodeOf(`${database}-shm`) };
}

/**
 * Before a log is opened: puts back what is gone, and what was exchanged, if that is asked for. Whoever has the log open
 * goes on with the same files.
 */
export function putBackLog(places: Places, exchanged: "put-back" | "leave"): void {
  const kept = secondNames(places);
  if (kept === null) return;
  const found = inodeOf(places.database);
  const database = standing(places, kept, DATABASE);
  if (database === "unknown") {
    if (found === null && kept.files.includes(NO_LINKS)) throw lost(places, kept);
    return;
  }
  if (database === "in-place") {
    putBackJournal(places, kept);
    return;
  }
  const besides = COMPANIONS.map((name) => ({ name, standing: standing(places, kept, name) }));
  if (exchanged === "leave" && [{ standing: database }, ...besides].some((one) => one.standing === "exchanged")) return;
  makeFolder(places);
  for (const { name, standing } of besides) {
    if (standing === "exchanged" || isForeign(places, kept, name)) setAside(places, name, found);
    linkBack(places, kept, name);
  }
  const aside = database === "exchanged" ? setAside(places, DATABASE, found) : null;
  linkBack(places, kept, DATABASE);
  syncFolder(places.folder);
  tell(putBackSentence(places, kept, aside));
}

/** Gives an open log its second names. A disk that has none is no reason to fail. */
export function keepLog(places: Places): void {
  const kept = secondNames(places);
  if (kept === null) return;
  try {
    // Else it was exchanged in this very moment.
    if (standing(places, kept, DATABASE) !== "exchanged") linkAside(places, kept, DATABASE);
    for (const name of COMPANIONS) linkAside(places, kept, name);
    if (kept.files.includes(NO_LINKS)) rmSync(join(kept.folder, NO_LINKS), { force: true });
  } catch (error) {
    if (hasCode(error, "EXDEV", "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS")) noteNoLinks(kept);
  }
}

/** After SQLite has emptied and removed its journal, an old one must not come back. */
export function forgetJournal(places: Places): void {
  const names = secondNames(places)?.names ?? [];
  for (const { name, path } of names.filter((one) => COMPANIONS.includes(one.name))) {
    if (inodeOf(join(places.folder, name)) === null) rmSync(path, { force: true });
  }
}

/** Whether what a session has open is the log that will be put back, so that nothing it writes is lost. */
export function isKept(places: Places, open: OpenFiles): boolean {
  const names = secondNames(places)?.names ?? [];
  const linked = (name: string, inode: bigint | null) =>
    inode === null || names.some((one) => one.name === name && one.isLink && one.inode === inode);
  return (
    open.database !== null &&
    // Else whoever comes now would open the database with a journal that is not its own.
    inodeOf(places.database) !== open.database &&
    linked(DATABASE, open.database) &&
    linked(`${DATABASE}-wal`, open.wal) &&
    linked(`${DATABASE}-shm`, open.shm)
  );
}

/** Whether another log lies in the place of this project's own. */
export function isExchanged(places: Places): boolean {
  const kept = secondNames(places);
  return kept !== null && standing(places, kept, DATABASE) === "exchanged";
}

/** A lock on a file that nobody finds any more would let a second owner in. */
export function putBackLock(places: Places): void {
  const kept = secondNames(places);
  if (kept === null) return;
  if (standing(places, kept, LOCK) === "exchanged") setAside(places, LOCK, null);
  linkBack(places, kept, LOCK);
}

export function keepLock(places: Places): void {
  const kept = secondNames(places);
  try {
    if (kept !== null && standing(places, kept, LOCK) !== "exchanged") linkAside(places, kept, LOCK);
  } catch {
    // The lock itself holds all the same.
  }
}

/** Says something to whoever runs this process, whichever command it is. */
export function tell(sentence: string): void {
  process.emitWarning(sentence, { type: "Anneal" });
}

function putBackJournal(places: Places, kept: SecondNames): void {
  const writtenAt = statSync(places.database, { bigint: true }).mtimeNs;
  for (const name of COMPANIONS.filter((one) => standing(places, kept, one) === "gone")) {
    const second = secondOf(kept, name);
    const lostItsNameAt = second && statSync(second.path, { bigint: true, throwIfNoEntry: false })?.ctimeNs;
    // Another program has emptied it, and what was written since must not be undone.
    if (second === undefined || lostItsNameAt === undefined || writtenAt > lostItsNameAt) continue;
    linkBack(places, kept, name);
  }
}

/** A journal with something in it that is not of the log: SQLite would write it into the database. */
function isForeign(places: Places, kept: SecondNames, name: string): boolean {
  if (secondOf(kept, name) !== undefined || name.endsWith("-shm")) return false;
  return (statSync(join(places.folder, name), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** A database and its journal keep names that belong together; an inode that is in use is no other file's. */
function setAside(places: Places, name: string, database: bigint | null): string {
  const path = join(places.folder, name);
  const base = name === LOCK ? LOCK : DATABASE;
  const inode = inodeOf(path);
  const aside = join(places.folder, `${base}.set-aside-${database ?? inode}${name.slice(base.length)}`);
  try {
    // Else another process has just put the log back.
    if (name !== DATABASE || inode === database) renameSync(path, aside);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
  return aside;
}

function noteNoLinks({ folder }: SecondNames): void {
  try {
    writeFileSync(join(folder, NO_LINKS), "");
  } catch {
    // Then the log is as safe as the files around it.
  }
}

function putBackSentence({ database }: Places, { folder }: SecondNames, aside: string | null): string {
  const what =
    aside === null
      ? `${database} was gone, as after leaving a branch that tracks it; it is put back`
      : `${database} was another file than this project's log. That one is set aside as ${basename(aside)}, and the log is put back`;
  return `${what}. Nothing is lost. To start anew, remove ${folder} and ${database}*.`;
}

function lost({ database }: Places, { folder }: SecondNames): StoreError {
  const what = `${database} is gone, and this disk has no second names to keep it by.`;
  return new StoreError("moved", `${what} Without ${join(folder, NO_LINKS)} a new one is made.`);
}
