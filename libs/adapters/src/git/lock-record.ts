import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { startOf } from "../sandbox/processes.ts";
import type { Place } from "./place.ts";
import type { GitResult } from "./run.ts";

/** That a git of ours is changing something here, and since when; it stays behind where that git or we are killed. */
interface LockRecord {
  pid: number;
  /** A process id is used again; together with its start it is not. */
  start: string;
  sinceMs: number;
}

const running = new Map<string, number>();
/** Where one of several gits at a time was killed: the record then outlives the others. */
const broken = new Set<string>();

/** Since when a killed git of ours may have left locks here; null where none was killed. */
export async function brokenOffSince(place: Place): Promise<number | null> {
  const found = readRecord(place);
  if (found === null) return null;
  const alive =
    found.pid === process.pid && found.start === startOf(process.pid)
      ? running.has(place.gitDir)
      : startOf(found.pid) === found.start;
  return alive ? null : found.sinceMs;
}

/** File times lag behind the clock by up to one tick of the kernel. */
const TICK_MS = 20;

/** Runs a git with a record of it on disk, which goes away only when that git ended by itself. */
export async function recorded(
  place: Place,
  brokenOff: number | null,
  run: () => Promise<GitResult>,
): Promise<GitResult> {
  const path = recordPath(place);
  const others = running.get(place.gitDir) ?? 0;
  running.set(place.gitDir, others + 1);
  let end: GitResult["end"] = "killed";
  try {
    // A lock from before stays attributable until it is cleared, even if this run is killed too.
    const sinceMs = brokenOff ?? Date.now() - TICK_MS;
    const record: LockRecord = { pid: process.pid, start: startOf(process.pid) ?? "", sinceMs };
    if (others === 0) writeRecord(path, record);
    const result = await run();
    const blocked = result.code !== 0 && result.stderr.includes(".lock': File exists");
    if (!blocked || brokenOff === null) end = result.end;
    return result;
  } finally {
    if (end === "killed") broken.add(place.gitDir);
    const left = (running.get(place.gitDir) ?? 1) - 1;
    if (left > 0) running.set(place.gitDir, left);
    else {
      running.delete(place.gitDir);
      const wasBroken = broken.delete(place.gitDir) || (brokenOff !== null && (await hasLockSince(place, brokenOff)));
      if (!wasBroken) rmSync(path, { force: true });
    }
  }
}

/** Whether a lock is still there that the killed git may have left: this run may not have needed that one. */
async function hasLockSince({ gitDir, commonDir }: Place, sinceMs: number): Promise<boolean> {
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

function recordPath({ gitDir }: Place): string {
  return join(gitDir, "anneal-git.json");
}

// Read and written at once: a few bytes take less time than to wake a thread for them, and every git that changes something needs them.
function writeRecord(path: string, record: LockRecord): void {
  try {
    writeFileSync(path, JSON.stringify(record));
  } catch {
    // Without a record the age of a lock decides.
  }
}

function readRecord(place: Place): LockRecord | null {
  try {
    return JSON.parse(readFileSync(recordPath(place), "utf8"));
  } catch {
    // None, or one that was cut short by a power failure: then the age of a lock decides.
    return null;
  }
}
