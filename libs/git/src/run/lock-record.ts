import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { startOf } from "@anneal/system/processes/processes";
import type { RepoLocation } from "./repo-location.ts";
import type { GitResult } from "./run.ts";

/** That a git of ours is changing something here, and since when; it stays behind where that git or we are killed. */
interface LockRecord {
  pid: number;
  /** A process id is used again; together with its start it is not. */
  start: string;
  sinceMs: number;
}

/** The gits of this process that are at work in one of git's folders, which share a record. */
interface AtWork {
  count: number;
  /** Since when a git that was killed before them may have left locks. */
  brokenOff: number | null;
  /** Whether one of them was killed: the record then outlives the others. */
  killed: boolean;
}

const running = new Map<string, AtWork>();

/** Since when a killed git of ours may have left locks here; null where none was killed. */
export function brokenOffSince(location: RepoLocation): number | null {
  const ours = running.get(location.gitDir);
  if (ours !== undefined) return ours.brokenOff;
  const found = readRecord(location);
  if (found === null) return null;
  const isThisProcess = found.pid === process.pid && found.start === startOf(process.pid);
  return !isThisProcess && startOf(found.pid) === found.start ? null : found.sinceMs;
}

/** File times lag behind the clock by up to one tick of the kernel. */
const TICK_MS = 20;

/** Runs a git with a record of it on disk, which goes away only when that git ended by itself. */
export async function recorded(location: RepoLocation, run: () => Promise<GitResult>): Promise<GitResult> {
  const atWork = running.get(location.gitDir) ?? begin(location);
  atWork.count += 1;
  let end: GitResult["end"] = "killed";
  try {
    const result = await run();
    end = result.end;
    return result;
  } finally {
    if (end !== "exited") atWork.killed = true;
    // A git that was killed before may have left a lock that none of these needed.
    const left = atWork.brokenOff !== null && (await hasLockSince(location, atWork.brokenOff));
    atWork.count -= 1;
    if (atWork.count === 0) {
      running.delete(location.gitDir);
      if (!atWork.killed && !left) rmSync(recordPath(location), { force: true });
    }
  }
}

function begin(location: RepoLocation): AtWork {
  const brokenOff = brokenOffSince(location);
  // A lock from before stays attributable until it is cleared, even if this run is killed too.
  const sinceMs = brokenOff ?? Date.now() - TICK_MS;
  writeRecord(recordPath(location), { pid: process.pid, start: startOf(process.pid) ?? "", sinceMs });
  const atWork: AtWork = { count: 0, brokenOff, killed: false };
  running.set(location.gitDir, atWork);
  return atWork;
}

/** Whether a lock is still there that the killed git may have left: this run may not have needed that one. */
async function hasLockSince({ gitDir, commonDir }: RepoLocation, sinceMs: number): Promise<boolean> {
  const inRefs = await readdir(join(commonDir, "refs"), { recursive: true }).catch(() => []);
  const [own, shared] = await Promise.all([gitDir, commonDir].map((folder) => readdir(folder).catch(() => [])));
  const paths = [
    ...(own ?? []).map((name) => join(gitDir, name)),
    ...(shared ?? []).map((name) => join(commonDir, name)),
    ...inRefs.map((name) => join(commonDir, "refs", name)),
  ];
  const times = paths.filter((path) => path.endsWith(".lock")).map((path) => stat(path).catch(() => null));
  return (await Promise.all(times)).some((found) => found !== null && found.mtimeMs >= sinceMs);
}

function recordPath({ gitDir }: RepoLocation): string {
  return join(gitDir, "anneal-git.json");
}

// Read and written at once: a few bytes take less time than to wake a thread for them, and every git that changes something needs them.
function writeRecord(path: string, record: LockRecord): void {
  try {
    // In one step: half a record would say nothing of the locks of a git that was killed before.
    writeFileSync(`${path}.new`, JSON.stringify(record));
    renameSync(`${path}.new`, path);
  } catch {
    // Without a record the age of a lock decides.
  }
}

function readRecord(location: RepoLocation): LockRecord | null {
  try {
    return JSON.parse(readFileSync(recordPath(location), "utf8"));
  } catch {
    // None, or one that a power failure took: then the age of a lock decides.
    return null;
  }
}
