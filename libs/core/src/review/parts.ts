import { utf8Length } from "../text/utf8-length.ts";
import { type Atom, atomsOf, type FilePatch, filesOf, linesIn } from "./patch-files.ts";
import { groupsOf } from "./related-files.ts";

/** A change as its patches show it: what this round changed, and all of it since the base. */
export interface Patches {
  round?: string;
  whole?: string;
}

/** A stretch of a patch about one file, as it stands in git's patch. */
export interface PatchPiece {
  diff: keyof Patches;
  path: string;
  text: string;
  /** Which part of the file's patch it is, from 1. */
  number: number;
  of: number;
  /** The lines that it begins with, where it begins inside of a hunk. */
  from?: { old: number; new: number };
}

export interface PartsPlan {
  /** What is shown together in one call. Taken together they hold every byte of the patches, save the files below. */
  parts: PatchPiece[][];
  /** Files with a line that no call has room for. */
  tooLong: string[];
}

/** What is never torn apart: all pieces of a file, or one piece of a file that has no room as a whole. */
type Unit = PatchPiece[];

/** What a piece costs besides its text: the lines around it that say what it is. */
export const PIECE_OVERHEAD_BYTES = 700;

/** Splits a change so that no call is shown more than `room` bytes of it: by files that belong together, then hunks, then lines. */
export function planParts(patches: Patches, room: number): PartsPlan {
  const files = patchesByFile(patches);
  const tooLong: string[] = [];
  const bins = new Bins(room);
  for (const { clusters } of groupsOf([...files.keys()])) {
    const unitsOf = (path: string): Unit[] => {
      const whole = files.get(path) ?? [];
      if (costOf(whole) <= room) return [whole];
      const split = whole.map((piece) => splitPiece(piece, room - PIECE_OVERHEAD_BYTES));
      if (split.every((pieces) => pieces !== undefined)) return split.flat().map((piece) => [piece]);
      tooLong.push(path);
      return [];
    };
    bins.addGroup(clusters.map((paths) => paths.flatMap(unitsOf)));
  }
  return { parts: bins.parts(), tooLong };
}

function patchesByFile(patches: Patches): Map<string, PatchPiece[]> {
  const files = new Map<string, PatchPiece[]>();
  const add = (diff: PatchPiece["diff"], list: FilePatch[]) => {
    for (const { path, text } of list) {
      const pieces = files.get(path) ?? [];
      pieces.push({ diff, path, text, number: 1, of: 1 });
      files.set(path, pieces);
    }
  };
  if (patches.whole !== undefined) add("whole", filesOf(patches.whole));
  if (patches.round !== undefined) add("round", filesOf(patches.round));
  return files;
}

/** Undefined where a single line is larger than the room. */
function splitPiece(piece: PatchPiece, room: number): PatchPiece[] | undefined {
  if (utf8Length(piece.text) <= room) return [piece];
  const pieces: { text: string; bytes: number; from?: PatchPiece["from"] }[] = [];
  const add = (text: string, bytes: number, from?: PatchPiece["from"]) => {
    const last = pieces.at(-1);
    if (last !== undefined && last.bytes + bytes <= room) {
      last.text += text;
      last.bytes += bytes;
    } else pieces.push({ text, bytes, from });
  };
  for (const atom of atomsOf(piece.text)) {
    const bytes = utf8Length(atom.text);
    if (bytes <= room) add(atom.text, bytes);
    else {
      const lines = linesOfAtom(atom, room);
      if (lines === undefined) return undefined;
      for (const line of lines) add(line.text, line.bytes, line.from);
    }
  }
  return pieces.map(({ text, from }, index) => ({
    ...piece,
    text,
    number: index + 1,
    of: pieces.length,
    ...(from === undefined ? {} : { from }),
  }));
}

function linesOfAtom({ text, start }: Atom, room: number) {
  const found: { text: string; bytes: number; from?: PatchPiece["from"] }[] = [];
  let at: PatchPiece["from"];
  for (const line of linesIn(text)) {
    const bytes = utf8Length(line);
    if (bytes > room) return undefined;
    found.push({ text: line, bytes, ...(at === undefined ? {} : { from: { ...at } }) });
    if (line.startsWith("@@ ") && start !== undefined) at = { ...start };
    else if (at !== undefined) {
      if (line.startsWith(" ") || line.startsWith("-")) at.old += 1;
      if (line.startsWith(" ") || line.startsWith("+")) at.new += 1;
    }
  }
  return found;
}

function costOf(pieces: readonly PatchPiece[]): number {
  return pieces.reduce((sum, { text, of }) => sum + utf8Length(text) + (of > 1 ? PIECE_OVERHEAD_BYTES : 0), 0);
}

const sumOf = (units: readonly Unit[]) => units.reduce((sum, unit) => sum + costOf(unit), 0);

/** Fills one call after the other; what belongs together moves on together, unless that would leave a call half empty. */
class Bins {
  readonly #room: number;
  readonly #bins: { units: Unit[]; bytes: number }[] = [];

  constructor(room: number) {
    this.#room = room;
  }

  addGroup(clusters: Unit[][]): void {
    if (this.#takesWhole(clusters.flat())) return;
    for (const cluster of clusters) {
      if (this.#takesWhole(cluster)) continue;
      for (const unit of cluster) this.#add(unit, costOf(unit));
    }
  }

  parts(): PatchPiece[][] {
    return this.#bins.map(({ units }) => units.flat());
  }

  #takesWhole(units: Unit[]): boolean {
    const bytes = sumOf(units);
    const used = this.#bins.at(-1)?.bytes ?? 0;
    const fits = used + bytes <= this.#room;
    if (!fits && (bytes > this.#room || used < this.#room / 2)) return false;
    if (!fits) this.#bins.push({ units: [], bytes: 0 });
    for (const unit of units) this.#add(unit, costOf(unit));
    return true;
  }

  #add(unit: Unit, bytes: number): void {
    const last = this.#bins.at(-1);
    if (last !== undefined && last.bytes + bytes <= this.#room) {
      last.units.push(unit);
      last.bytes += bytes;
    } else this.#bins.push({ units: [unit], bytes });
  }
}
