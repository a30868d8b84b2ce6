import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, futimesSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { failpoint } from "@anneal/system/failpoint";
import { TEMPORARY } from "./log-folder.ts";

export interface DurableWrite {
  /** Prefix of the failpoints: `{area}.write.before`, `{area}.rename.before`, `{area}.rename.after`. */
  area: string;
  /** The modification time that the file gets, for those who judge files by age. */
  modifiedAt?: number;
}

/** Puts a whole file in place: after this returns it is on disk, and at no moment is it half there. */
export function writeDurably(path: string, content: string | Uint8Array, { area, modifiedAt }: DurableWrite): void {
  removeLeft(path);
  const temporary = `${path}.${process.pid}-${randomBytes(6).toString("hex")}${TEMPORARY}`;
  try {
    failpoint(`${area}.write.before`);
    writeAndSync(temporary, content, modifiedAt);
    renameDurably(temporary, path, area);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Removes what killed processes left of their tries at this very file. */
function removeLeft(path: string): void {
  const beginning = `${basename(path)}.`;
  const tries = readdirSync(dirname(path)).filter((name) => name.startsWith(beginning) && name.endsWith(TEMPORARY));
  for (const name of tries) {
    const pid = Number.parseInt(name.slice(beginning.length), 10);
    if (pid > 0 && !isAlive(pid)) rmSync(join(dirname(path), name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Moves a finished file into place, so that the move itself survives a power cut. */
export function renameDurably(from: string, to: string, area: string): void {
  failpoint(`${area}.rename.before`);
  renameSync(from, to);
  syncFolder(dirname(to));
  failpoint(`${area}.rename.after`);
}

export function syncFile(path: string): void {
  const fd = openSync(path, "r+");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

export function syncFolder(path: string): void {
  // Windows cannot open a folder, and makes renames durable by itself.
  if (process.platform === "win32") return;
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function writeAndSync(path: string, content: string | Uint8Array, modifiedAt: number | undefined): void {
  const fd = openSync(path, "wx");
  try {
    writeFileSync(fd, content);
    if (modifiedAt !== undefined) futimesSync(fd, modifiedAt / 1000, modifiedAt / 1000);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
