import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { failpoint } from "../failpoint.ts";
import { asNotWritten, systemCode } from "./errors.ts";
import { realTarget } from "./jail.ts";

export interface AtomicOptions {
  /** The mode of a new file; one that exists keeps its own. */
  mode?: number;
  /** The folder that the path must not leave, links followed. */
  jail?: string;
}

/** Replaces a file in one step: after a failure or a kill at any instant it holds either the old bytes or the new ones. */
export async function writeAtomic(
  path: string,
  bytes: string | Uint8Array,
  options: AtomicOptions = {},
): Promise<void> {
  const staged = await stage(realTarget(path, options.jail), bytes, options);
  staged.replace();
  syncFolder(dirname(staged.target));
}

/** Bytes that lie safely on the disk next to their target, ready to take its place. */
export interface Staged {
  target: string;
  replace(): void;
  /** Takes the path only if nothing is there; says whether it did. */
  createOnly(): boolean;
  discard(): void;
}

/** The slow half of a write: temp file, bytes, fsync. Nothing that others see has changed yet. */
export async function stage(
  target: string,
  bytes: string | Uint8Array,
  { mode, old = statOrNull(target) }: { mode?: number | undefined; old?: Owned | null } = {},
): Promise<Staged> {
  await sweepOnce(target);
  return await stageInFolder(target, bytes, { old, mode, flush: fsyncSync });
}

/** Files whose folder this process has swept for them. */
const swept = new Set<string>();
const REMEMBERED = 10_000;

/** What a process leaves that is killed later goes when the next one writes the file, or starts. */
async function sweepOnce(target: string): Promise<void> {
  if (swept.has(target)) return;
  if (swept.size >= REMEMBERED) swept.clear();
  swept.add(target);
  await sweepTemporaries(dirname(target), basename(target));
}

function statOrNull(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** What a file keeps when it is replaced. */
type Owned = Pick<Stats, "mode" | "uid" | "gid">;

/** As `stage`, in a folder that is swept and for a file that was looked at already. Several of them wait for the disk together. */
export function stageInPlaceOf(old: Owned | null, target: string, bytes: string | Uint8Array): Promise<Staged> {
  return stageInFolder(target, bytes, { old, mode: undefined, flush: flushAside });
}

/** Has the disk take what was written. One small file is there before a thread would be woken to wait for it. */
type Flush = (file: number) => void | Promise<void>;
const flushAside: Flush = promisify(fsync);

async function stageInFolder(
  target: string,
  bytes: string | Uint8Array,
  { old, mode, flush }: { old: Owned | null; mode: number | undefined; flush: Flush },
): Promise<Staged> {
  const temporary = temporaryPathFor(target);
  const discard = () => rmSync(temporary, { force: true });
  failpoint("file.write.before");
  try {
    await fill(openSync(temporary, "wx", old ? 0o600 : mode), bytes, { old, flush });
  } catch (error) {
    discard();
    throw asNotWritten(error, target);
  }
  failpoint("file.fsync.after");
  return {
    target,
    discard,
    replace: () => swap(target, () => renameSync(temporary, target), discard),
    createOnly: () => swap(target, () => linked(temporary, target), discard),
  };
}

/** A file in a folder that nobody else knows yet: nothing can be seen half-written, so it needs no other name first. */
export async function writeUnseen(target: string, bytes: string | Uint8Array): Promise<void> {
  failpoint("file.write.before");
  try {
    await fill(openSync(target, "wx"), bytes, { old: null, flush: fsyncSync });
  } catch (error) {
    throw asNotWritten(error, target);
  }
  failpoint("file.fsync.after");
}

async function fill(
  file: number,
  bytes: string | Uint8Array,
  { old, flush }: { old: Owned | null; flush: Flush },
): Promise<void> {
  try {
    writeFileSync(file, bytes);
    if (old) {
      fchmodSync(file, old.mode & 0o7777);
      // Only root may give files away; for everyone else the new file is their own.
      if (process.geteuid?.() === 0) fchownSync(file, old.uid, old.gid);
    }
    await flush(file);
  } finally {
    closeSync(file);
  }
}

function swap<T>(target: string, act: () => T, discard: () => void): T {
  failpoint("file.rename.before");
  try {
    const result = act();
    failpoint("file.rename.after");
    return result;
  } catch (error) {
    discard();
    throw asNotWritten(error, target);
  }
}

function linked(temporary: string, target: string): boolean {
  try {
    linkSync(temporary, target);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Makes renames and new names in a folder survive a power cut. */
export function syncFolder(folder: string): void {
  // Windows cannot open folders, and needs no such thing.
  if (process.platform === "win32") return;
  const opened = openSync(folder, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** A name that sweeping recognises, with the process that it belongs to. */
export function temporaryPathFor(target: string): string {
  made += 1;
  const name = RUN + (made % 0x1000000).toString(16).padStart(6, "0");
  return join(dirname(target), `.${basename(target)}.${process.pid}-${name}.tmp`);
}

/** Numbers of processes come again. Asked for once: to be random takes as long as to read a file. */
const RUN = randomBytes(3).toString("hex");
let made = 0;

const TEMPORARY = /^\.(.+)\.(\d+)-[0-9a-f]{12}\.tmp$/;

/** Removes what killed processes left in a folder, of one file or of all; the temp files of living ones stay. Gives the names. */
export async function sweepTemporaries(folder: string, of?: string): Promise<string[]> {
  const left = namesIn(folder).filter((name) => {
    const [, target, pid] = TEMPORARY.exec(name) ?? [];
    return pid !== undefined && (of === undefined || of === target) && !isAlive(Number(pid));
  });
  // A git that outlived its killed parent may still write into a folder that is being removed.
  const options = { recursive: true, force: true, maxRetries: 5 };
  await Promise.all(left.map((name) => rm(join(folder, name), options)));
  return left;
}

/** At once: folders are small, and many are looked at in a row. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === "EPERM";
  }
}
