import { readlinkSync } from "node:fs";
import { startOf } from "./processes.ts";

/** Whose something is, in a form that names of files and variables can hold: the number, the start, and where numbers count. */
export function thisOwner(): string {
  return `${process.pid}-${startOf(process.pid) ?? "0"}-${space()}`;
}

export const OWNER = /(\d+)-(\d+)-(\d+)/;

/** Numbers are given out anew: the same process is the one that also started at the same moment. */
export function isGone(owner: string): boolean {
  const [, pid, start, where] = OWNER.exec(owner) ?? [];
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

/** Containers may share a folder for temporary files, but not their numbers of processes. */
function space(): string {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    return "0";
  }
}
