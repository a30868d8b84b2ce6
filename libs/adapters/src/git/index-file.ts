import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "./place.ts";

/** What an index may hold besides plain files at one stage each. */
export interface IndexTraits {
  submodules: boolean;
  /** Both sides of a merge. */
  conflicts: boolean;
  /** Files that git was told not to look at: assumed unchanged, or left out of a sparse checkout. */
  hidden: boolean;
}

/**
 * Looks through an index without starting a git, in the format that git documents.
 * Null where it is written in a way that is not read here, or is damaged: then git has to be asked.
 */
export async function indexTraits({ gitDir, commonDir }: Place, index?: string): Promise<IndexTraits | null> {
  const [bytes, config] = await Promise.all([
    readFile(index ?? join(gitDir, "index")).catch(() => null),
    readFile(join(commonDir, "config"), "latin1").catch(() => null),
  ]);
  // Another hash has longer ids, and nothing in the index itself says so.
  if (bytes === null || config === null || /objectformat/i.test(config)) return null;
  return traitsIn(bytes);
}

const HEADER = 12;
const CHECKSUM = 20;
const MODE_AT = 24;
const FLAGS_AT = 60;
const NAME_AT = 62;
const GITLINK = 0o160000;

const ASSUMED_UNCHANGED = 0x8000;
const EXTENDED = 0x4000;
const STAGE = 0x3000;
const NAME_LENGTH = 0xfff;
const LEFT_OUT = 0x4000;

function traitsIn(bytes: Buffer): IndexTraits | null {
  const end = bytes.length - CHECKSUM;
  if (end < HEADER || bytes.toString("latin1", 0, 4) !== "DIRC") return null;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return null;
  const traits = { submodules: false, conflicts: false, hidden: false };
  let at = HEADER;
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    if (at + NAME_AT >= end) return null;
    const flags = bytes.readUInt16BE(at + FLAGS_AT);
    const isExtended = (flags & EXTENDED) !== 0;
    const more = isExtended ? bytes.readUInt16BE(at + NAME_AT) : 0;
    if (bytes.readUInt32BE(at + MODE_AT) === GITLINK) traits.submodules = true;
    if ((flags & STAGE) !== 0) traits.conflicts = true;
    if ((flags & ASSUMED_UNCHANGED) !== 0 || (more & LEFT_OUT) !== 0) traits.hidden = true;
    const name = at + NAME_AT + (isExtended ? 2 : 0);
    const next = version === 4 ? afterShortName(bytes, name) : afterName(bytes, at, name, flags & NAME_LENGTH);
    if (next === null) return null;
    at = next;
  }
  return hasForeignPart(bytes, at, end) ? null : traits;
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
