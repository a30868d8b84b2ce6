import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "./place.ts";

/** One move of a ref, as git logs it. */
export interface LoggedMove {
  from: string;
  to: string;
  /** The address of the committer whose git it was. */
  by: string;
  /** What git noted about it, such as "commit: fix the parser". */
  why: string;
}

/** How far a log reached, to be told from one that was written anew since. */
export interface LogEnd {
  size: number;
  digest: string;
}

/** Where git logs the moves of a branch, by its full name. */
export function logOfRef({ commonDir }: Place, ref: string): string {
  return join(commonDir, "logs", ref);
}

/** Where git logs the moves of a work tree's HEAD. */
export function logOfHead({ gitDir }: Place): string {
  return join(gitDir, "logs/HEAD");
}

export function logEnd(path: string): LogEnd {
  const bytes = bytesOf(path);
  return { size: bytes.length, digest: digestOf(bytes) };
}

/** What was logged since then, oldest first; all of it where the log does not begin as it did. */
export function movesSince(path: string, then: LogEnd | undefined): LoggedMove[] {
  const bytes = bytesOf(path);
  const goesOn = then !== undefined && digestOf(bytes.subarray(0, then.size)) === then.digest;
  const lines = bytes.subarray(goesOn ? then.size : 0).toString("utf8");
  return lines.split("\n").flatMap(readMove);
}

const LINE = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) .*?<([^<>]*)> \d+ [+-]\d{4}(?:\t(.*)|$)/;

function readMove(line: string): LoggedMove[] {
  const [, from, to, by, why = ""] = LINE.exec(line) ?? [];
  return from === undefined || to === undefined || by === undefined ? [] : [{ from, to, by, why }];
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}

function digestOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
