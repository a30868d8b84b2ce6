import { type BigIntStats, lstatSync } from "node:fs";

/** Files that this process has put in place, as each was right afterwards. */
const written = new Map<string, string>();

/** Enough for what loops write during a review; the oldest are forgotten. */
const REMEMBERED = 10_000;

export function noteOwnWrite(path: string): void {
  written.delete(path);
  const [oldest] = written.keys();
  if (written.size >= REMEMBERED && oldest !== undefined) written.delete(oldest);
  written.set(path, printOf(lstatSync(path, { bigint: true, throwIfNoEntry: false })));
}

/** Whether a file is still as this process has written it. */
export function isOwnWrite(path: string): boolean {
  const left = written.get(path);
  return left !== undefined && left === printOf(lstatSync(path, { bigint: true, throwIfNoEntry: false }));
}

/** Differs as soon as anybody writes the file or puts another in its place: the time of the last change, ctime, cannot be set back. */
export function printOf(found: BigIntStats | null | undefined): string {
  return found == null ? "gone" : `${found.size} ${found.mtimeNs} ${found.ctimeNs} ${found.mode} ${found.ino}`;
}
