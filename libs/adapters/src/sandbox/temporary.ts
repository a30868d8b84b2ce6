import { readdirSync, readlinkSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startOf } from "./processes.ts";

/** A folder of this process alone; its name says whose it is, so that it can be told when its owner is gone. */
export function ownTemporary(kind: "home" | "probe"): Promise<string> {
  const start = startOf(process.pid) ?? "0";
  return mkdtemp(join(tmpdir(), `anneal-${kind}-${process.pid}-${start}-${space()}-`));
}

const OWNED = /^anneal-(?:home|probe)-(\d+)-(\d+)-(\d+)-\w{6}$/;

/** Removes what killed processes left of such folders; gives their paths. */
export async function removeAbandoned(): Promise<string[]> {
  const folder = tmpdir();
  const gone = readdirSync(folder)
    .filter(isAbandoned)
    .map((name) => join(folder, name))
    .filter(isOurs);
  // What is open or not ours to remove costs some space, no more.
  const removed = gone.map((path) =>
    rm(path, { recursive: true, force: true })
      .then(() => [path])
      .catch(() => []),
  );
  return (await Promise.all(removed)).flat();
}

/** Numbers are given out anew: the same process is the one that also started at the same moment. */
function isAbandoned(name: string): boolean {
  const [, pid, start, where] = OWNED.exec(name) ?? [];
  if (pid === undefined || where !== space()) return false;
  if (start === "0") return !exists(Number(pid));
  return startOf(Number(pid)) !== start;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function isOurs(path: string): boolean {
  try {
    const stat = statSync(path);
    return stat.isDirectory() && stat.uid === process.getuid?.();
  } catch {
    return false;
  }
}

/** Containers may share a folder for temporary files, but not their numbers of processes. */
function space(): string {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    return "0";
  }
}
