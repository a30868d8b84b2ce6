import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, type Stats, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { RepoLocation } from "../../run/repo-location.ts";
import { readHead } from "../refs/head-file.ts";
import { isId } from "../refs/known-commits.ts";
import { refsOnDisk } from "../refs/ref-list.ts";
import { readIndex, walk } from "./index-file.ts";

/** What a repository holds where nothing waits in its work tree. */
export interface Untouched {
  /** The tree that is staged, and that all files are. */
  staged: string;
  head: string;
  /** The commits that its branches and its stash lead to. */
  refs: string[];
}

/**
 * Reads without starting a git whether a work tree holds just what is staged. Null where it does not, and wherever git's own files
 * say too little for certain: then git has to be asked.
 */
export async function untouched(
  location: Pick<RepoLocation, "root" | "gitDir" | "commonDir">,
): Promise<Untouched | null> {
  const { commit: head } = await readHead(location as RepoLocation);
  const all = refsOnDisk(location);
  if (head === null || head === "unknown" || all === null) return null;
  const refs = [...all].flatMap(([name, at]) => (/^refs\/(?:heads\/|stash$)/.test(name) ? [at] : []));
  if (!refs.every(isId)) return null;
  const staged = stagedOnDisk(location);
  return staged === null ? null : { staged, head, refs };
}

/** The tree that is staged, where all files are just that and none is ignored; null wherever git has to be asked. */
export function stagedOnDisk(location: Pick<RepoLocation, "root" | "gitDir" | "commonDir">): string | null {
  if (existsSync(join(location.gitDir, "modules"))) return null;
  try {
    return stagedAndOnDisk(location);
  } catch {
    return null;
  }
}

function stagedAndOnDisk(location: Pick<RepoLocation, "root" | "gitDir" | "commonDir">): string | null {
  const path = join(location.gitDir, "index");
  const bytes = readIndex(location, path);
  // Version 4 shortens names.
  if (bytes.length < 12 || bytes.readUInt32BE(4) > 3) return null;
  const { mtimeMs: written } = statSync(path);
  const names = new Set<string>();
  let isSame = true;
  const end = walk(bytes, (at, flags, more) => {
    const nameAt = at + NAME_AT + (more === 0 && (flags & EXTENDED) === 0 ? 0 : 2);
    const name = bytes.toString("utf8", nameAt, bytes.indexOf(0, nameAt));
    names.add(name);
    isSame &&= flags < SPECIAL && isOnDisk(bytes.subarray(at, nameAt), join(location.root, name), written);
  });
  if (end === null || !isSame) return null;
  return filesIn(location.root).every((file) => names.has(file)) ? rootTree(bytes, end) : null;
}

const MODE_AT = 24;
const SIZE_AT = 36;
const ID_AT = 40;
const NAME_AT = 62;
const EXTENDED = 0x4000;
/** Any flag but the length of the name. */
const SPECIAL = 0x1000;

/** By what git noted of the file when it was staged, or by its content where the file may be younger than that. */
function isOnDisk(entry: Buffer, path: string, indexWrittenMs: number): boolean {
  const stat = lstatSync(path);
  const mode = entry.readUInt32BE(MODE_AT);
  if (modeOf(stat) !== mode) return false;
  if (isAsNoted(entry, stat) && stat.mtimeMs < indexWrittenMs) return true;
  const content = mode === LINK ? Buffer.from(readlinkSync(path)) : readFileSync(path);
  const id = createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
  return id === entry.toString("hex", ID_AT, ID_AT + 20);
}

const LINK = 0o120000;

/** As git stages it; 0 for what it never does. */
function modeOf(stat: Stats): number {
  if (stat.isSymbolicLink()) return LINK;
  if (!stat.isFile()) return 0;
  return (stat.mode & 0o100) === 0 ? 0o100644 : 0o100755;
}

function isAsNoted(entry: Buffer, { ctimeMs, mtimeMs, ino, size }: Stats): boolean {
  // Seconds and nanoseconds, put together as Node does it.
  const time = (at: number) => entry.readUInt32BE(at) * 1_000 + entry.readUInt32BE(at + 4) / 1_000_000;
  const isSameFile = ino % WORD === entry.readUInt32BE(INO_AT) && size % WORD === entry.readUInt32BE(SIZE_AT);
  return isSameFile && time(0) === ctimeMs && time(8) === mtimeMs;
}

/** Numbers in an index have 32 bits. */
const WORD = 2 ** 32;
const INO_AT = 20;

/** Everything but folders and what is git's own. A repository in a folder is more than its files: its `.git` is among them. */
function filesIn(root: string): string[] {
  const inside = readdirSync(root, { withFileTypes: true }).filter(({ name }) => name !== ".git");
  return inside.flatMap((entry) => {
    const path = join(root, entry.name);
    if (!entry.isDirectory()) return [entry.name];
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((one) => !one.isDirectory() || one.name === ".git")
      .map((one) => relative(root, join(one.parentPath, one.name)));
  });
}

/** The tree of all that is staged, where git has noted it; it takes the note away with every change. */
function rootTree(bytes: Buffer, entriesEnd: number): string | null {
  for (let at = entriesEnd; at + 8 <= bytes.length - 20; at += 8 + bytes.readUInt32BE(at + 4)) {
    if (bytes.toString("latin1", at, at + 4) !== "TREE") continue;
    const [line, count = "-1"] = /^\0(-?\d+) \d+\n/.exec(bytes.toString("latin1", at + 8, at + 60)) ?? [];
    if (line === undefined || Number(count) < 0) return null;
    return bytes.toString("hex", at + 8 + line.length, at + 28 + line.length);
  }
  return null;
}
