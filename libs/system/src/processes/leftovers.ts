import { createHash, randomUUID } from "node:crypto";
import { readlinkSync, realpathSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import { isGone, thisOwner } from "./owner.ts";
import { allPids, ancestors, descendants, kill, readProc, standStill, statOf } from "./processes.ts";

const NAME = "ANNEAL_RUN";

/** A mark in the environment of everything that a command starts, by which all of it is found again. */
export function runMark(cwd: string): { text: string; env: Record<string, string> } {
  const text = `${folderMark(realFolder(cwd))}${randomUUID()}.${thisOwner()}`;
  // Marks of commands around this one stay, so that they find it too.
  const outer = process.env[NAME];
  return { text, env: { [NAME]: outer === undefined ? text : `${outer} ${text}` } };
}

/**
 * Whether a command of ours started this process, at whatever distance: an agent, a test, a hook. Who took the mark out of
 * its own environment still has it above. Only who also cut every tie to those above is not known for one.
 */
export function isOfOurs(): boolean {
  if (process.env[NAME] !== undefined) return true;
  return ancestors(process.pid).some((pid) => MARKS.test(readProc(pid, "environ") ?? ""));
}

/**
 * Ends everything that commands started in a folder and a killed process left running there, and waits until it is gone.
 * Call it before that folder is used again. Gives the processes that even a kill did not end. Linux only.
 */
export function endLeftovers(cwd: string): number[] {
  const folder = realFolder(cwd);
  return ended(() => leftoversIn(folder));
}

/** The same for whatever was started by processes of ours that are gone, in any folder: whoever should end it cannot any more. */
export function endOrphans(): number[] {
  return ended(orphans);
}

function ended(found: () => number[]): number[] {
  let left = found();
  for (let waitedMs = 0; left.length > 0 && waitedMs < PATIENCE_MS; waitedMs += LOOK_MS) {
    for (const pid of left) kill(pid);
    standStill(LOOK_MS);
    left = found();
  }
  return left;
}

const PATIENCE_MS = 2_000;
const LOOK_MS = 5;

/** What carries the folder's mark or has lost its owner in there, with all that it started; never this process or one above it. */
function leftoversIn(folder: string): number[] {
  const own = new Set([process.pid, ...ancestors(process.pid)]);
  const mark = folderMark(folder);
  // Most processes have nothing to do with the folder, which two looks tell; dead ones show nothing in either.
  const roots = allPids().filter((pid) => {
    const environment = own.has(pid) ? null : readProc(pid, "environ");
    if (environment === null) return false;
    const isMarked = environment.includes(mark);
    if (!isMarked && !isIn(folder, pid)) return false;
    return isOurUsers(pid) && (isMarked || isOrphan(pid, environment, own));
  });
  return families(roots, own);
}

const MARKS = new RegExp(`(?:^|\\0)${NAME}=([^\\0]*)`);

function orphans(): number[] {
  const own = new Set([process.pid, ...ancestors(process.pid)]);
  const roots = allPids().filter((pid) => {
    const marks = own.has(pid) ? undefined : MARKS.exec(readProc(pid, "environ") ?? "")?.[1];
    return marks?.split(" ").some((mark) => isGone(mark.split(".")[2] ?? "")) === true && isOurUsers(pid);
  });
  return families(roots, own);
}

function families(roots: number[], own: ReadonlySet<number>): number[] {
  const all = new Set([...roots, ...roots.flatMap(descendants)]);
  return [...all].filter((pid) => !own.has(pid));
}

/** A terminal or a desktop that somebody sits at. Commands that wiped their mark have wiped these too. */
const A_PERSONS = /(^|\0)(TERM|DISPLAY|WAYLAND_DISPLAY|SSH_CONNECTION|XDG_SESSION_ID)=/;

/**
 * Whether nobody started it who still lives, and nobody sits at it. A person's shell or editor in the folder is not ours
 * to end: whoever started those is there, or their environment tells.
 */
function isOrphan(pid: number, environment: string, own: ReadonlySet<number>): boolean {
  const stat = statOf(pid);
  if (stat === null || stat.terminal !== 0 || A_PERSONS.test(environment)) return false;
  if (stat.parent === process.pid) return false;
  if (stat.parent === 1) return true;
  // Where a session manager adopts orphans, it is above us as well, but not in our own session.
  return own.has(stat.parent) && statOf(stat.parent)?.session !== statOf(process.pid)?.session;
}

function isIn(folder: string, pid: number): boolean {
  try {
    const cwd = readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, "");
    return cwd === folder || cwd.startsWith(folder + sep);
  } catch {
    return false;
  }
}

function isOurUsers(pid: number): boolean {
  try {
    return statSync(`/proc/${pid}`).uid === process.getuid?.();
  } catch {
    return false;
  }
}

/** The same folder has the same mark by whatever links one came to it. */
function realFolder(cwd: string): string {
  try {
    return realpathSync(cwd);
  } catch {
    return resolve(cwd);
  }
}

function folderMark(folder: string): string {
  return `${createHash("sha256").update(folder).digest("hex").slice(0, 24)}.`;
}
