import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import type { RepoLocation } from "../../run/repo-location.ts";

/** What an index may hold besides plain files at one stage each. */
export interface IndexTraits {
  submodules: boolean;
  /** Both sides of a merge. */
  conflicts: boolean;
  /** Files that git is set to ignore: assumed unchanged, or left out of a sparse checkout. */
  hidden: boolean;
}

/**
 * Looks through an index without starting a git, in the format that git documents.
 * Null where it is written in a way that is not read here, or is damaged: then git has to be asked.
 */
export function indexTraits(
  location: Pick<RepoLocation, "gitDir" | "commonDir">,
  path = join(location.gitDir, "index"),
): IndexTraits | null {
  const traits = { submodules: false, conflicts: false, hidden: false };
  const bytes = readIndex(location, path);
  const end = walk(bytes, (at, flags, more) => {
    if (bytes.readUInt32BE(at + MODE_AT) === GITLINK) traits.submodules = true;
    if ((flags & STAGE) !== 0) traits.conflicts = true;
    if ((flags & ASSUMED_UNCHANGED) !== 0 || (more & LEFT_OUT) !== 0) traits.hidden = true;
  });
  return end === null ? null : traits;
}

/** A fingerprint of all that is staged: names, modes, contents and flags, but not what git notes about the files on disk. */
export function indexDigest(location: RepoLocation): string | null {
  const bytes = readIndex(location, join(location.gitDir, "index"));
  // Version 4 shortens names in ways that depend on more than what is staged.
  if (bytes.length < HEADER || bytes.readUInt32BE(4) > 3) return null;
  const end = walk(bytes, (at) => {
    bytes.fill(0, at, at + MODE_AT);
    bytes.fill(0, at + MODE_AT + 4, at + ID_AT);
  });
  if (end === null) return null;
  return createHash("sha256").update(bytes.subarray(HEADER, end)).digest("hex");
}

const HEADER = 12;
const CHECKSUM = 20;
const MODE_AT = 24;
const ID_AT = 40;
const FLAGS_AT = 60;
const NAME_AT = 62;
const GITLINK = 0o160000;

const ASSUMED_UNCHANGED = 0x8000;
const EXTENDED = 0x4000;
const STAGE = 0x3000;
const NAME_LENGTH = 0xfff;
const LEFT_OUT = 0x4000;

/** Visits every entry; gives where they end, or null where not everything is understood. */
export function walk(bytes: Buffer, visit: (at: number, flags: number, more: number) => void): number | null {
  const end = bytes.length - CHECKSUM;
  if (end < HEADER || bytes.toString("latin1", 0, 4) !== "DIRC") return null;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return null;
  let at = HEADER;
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    if (at + NAME_AT >= end) return null;
    const flags = bytes.readUInt16BE(at + FLAGS_AT);
    const isExtended = (flags & EXTENDED) !== 0;
    visit(at, flags, isExtended ? bytes.readUInt16BE(at + NAME_AT) : 0);
    const name = at + NAME_AT + (isExtended ? 2 : 0);
    const next = version === 4 ? afterShortName(bytes, name) : afterName(bytes, at, name, flags & NAME_LENGTH);
    if (next === null || next > end) return null;
    at = next;
  }
  return hasForeignPart(bytes, at, end) ? null : at;
}

/** Names end with a NUL, and entries at a multiple of eight. */
function afterName(bytes: Buffer, entry: number, name: number, length: number): number | null {
  const stop = length < NAME_LENGTH ? name + length : bytes.indexOf(0, name);
  return bytes[stop] === 0 ? entry + ((stop - entry + 8) & ~7) : null;
}

/** Version 4 keeps only how much of the name before is dropped, and what comes instead. */
function afterShortName(bytes: Buffer, name: number): number | null {
  let at = name;
  while (((bytes[at] ?? 0) & 0x80) !== 0) at += 1;
  const stop = bytes.indexOf(0, at + 1);
  return stop < 0 ? null : stop + 1;
}

/** Parts with a small letter first change what the entries mean, such as an index that is split or sparse. */
function hasForeignPart(bytes: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at + 8 <= end) {
    if ((bytes[at] ?? 0) >= 0x61) return true;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at !== end;
}

const NOTHING = Buffer.alloc(0);
const MOST_BYTES = 64 * 1024 * 1024;
let room = Buffer.alloc(0);

/**
 * The bytes of an index, good until the next call; none where it cannot be read here.
 * All calls share one buffer: megabytes that come and go would keep the garbage collector busy.
 */
export function readIndex({ commonDir }: Pick<RepoLocation, "commonDir">, path: string): Buffer {
  try {
    // Another hash has longer ids, and nothing in the index itself says so.
    if (/objectformat/i.test(readFileSync(join(commonDir, "config"), "latin1"))) return NOTHING;
    const file = openSync(path, "r");
    try {
      const { size } = fstatSync(file);
      if (size > MOST_BYTES) return NOTHING;
      if (room.length < size) room = Buffer.alloc(size * 2);
      return readSync(file, room, 0, size, 0) === size ? room.subarray(0, size) : NOTHING;
    } finally {
      closeSync(file);
    }
  } catch {
    return NOTHING;
  }
}
