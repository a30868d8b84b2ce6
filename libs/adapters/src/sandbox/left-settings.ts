import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, normalize, relative } from "node:path";
import { isAllowed, whereaboutsOf } from "./git-allowed.ts";
import { type Entry, packed, recordOf, statOf, unpacked } from "./git-files.ts";
import { SETTINGS_NOTES } from "./git-folders.ts";
import { type GitGuard, type Guarded, guardGit, type OpenGuard, putBackFiles } from "./git-guard.ts";
import { endLeftovers } from "./leftovers.ts";
import { isGone, OWNER, thisOwner } from "./owner.ts";

/**
 * A guard that holds also where this process is killed: how settings are to be is on the disk until they are seen to, so that
 * nobody takes for granted what was changed meanwhile.
 */
export function guardDurably(tree: string, what: Guarded): GitGuard {
  const guard = guardGit(tree, what);
  if (what === "pointer" || !statOf(guard.common)?.isDirectory()) return guard;
  const file = join(guard.common, SETTINGS_NOTES, `${thisOwner()}-${++notes}.json`);
  const one = { tree, guard, common: realpathSync(guard.common) };
  noteDown(file, one);
  open.set(file, one);
  return {
    putBack() {
      const names = guard.putBack();
      open.delete(file);
      // While ours is still there: another one may hold what was just put back for how things are to be.
      if (names.length > 0) noteAnew(guard.common);
      rmSync(file, { force: true });
      return names;
    },
  };
}

interface Open {
  tree: string;
  /** Git's folder, without links in its path. */
  common: string;
  guard: OpenGuard;
}

const open = new Map<string, Open>();
let notes = 0;

/** For whoever has changed settings on behalf of this process: that is how they are to be from now on. */
export function noteAnew(common: string): void {
  const here = realpathSync(common);
  for (const [file, one] of open) if (one.common === here) noteDown(file, one);
}

interface Note {
  tree: string;
  /** Where git's folder was: a copy of it brings the notes along. */
  common: string;
  /** The settings of the work tree alone; paths are as seen from git's folder. */
  own: string;
  files: Record<string, string>;
}

function noteDown(file: string, { tree, common: home, guard }: Open): void {
  const { common, ownSettings } = guard;
  const entries = [...guard.due()].map(([path, entry]) => [relative(common, path), packed(entry, common)]);
  const own = relative(common, ownSettings);
  const note: Note = { tree, common: home, own, files: Object.fromEntries(entries) };
  writeWhole(file, JSON.stringify(note));
}

/** Whose guard it was that nobody has seen to. */
export interface LeftGuard {
  owner: string;
  tree: string;
}

/**
 * Puts settings back that were changed before a process was killed whose guard was to do so; `takeTold` gives what to tell.
 * No git is asked, so that none runs with them.
 */
export function putBackSettings(
  common: string,
  isLeft: (guard: LeftGuard) => boolean = ({ owner }) => isGone(owner),
): void {
  const here = realpathSync(common);
  // Of several that remember a file, the first one knows how it was before all of them.
  for (const { file, owner } of notesIn(common).sort((a, b) => b.nth - a.nth)) {
    const text = textOf(file);
    if (text === null || open.has(file)) continue;
    const note = noteOf(text);
    if (note === null) {
      if (isGone(owner)) putAside(file);
      continue;
    }
    if (note.common !== here && existsSync(note.common)) continue;
    if (!isLeft({ owner, tree: note.tree })) continue;
    endLeftovers(note.tree);
    const names = putBackNoted(note, common);
    if (names.length > 0) writeWhole(toldBeside(file), JSON.stringify({ tree: note.tree, said: saidOf(names) }));
    rmSync(file, { force: true });
  }
}

/** What people should know of settings that were put back, once. */
export function takeTold(common: string): { tree: string; said: string }[] {
  return filesIn(common, /^told-/).flatMap((file) => {
    const value = parsed(textOf(file) ?? "");
    rmSync(file, { force: true });
    return isRecord(value) && isText(value.tree) && isText(value.said) ? [{ tree: value.tree, said: value.said }] : [];
  });
}

function putBackNoted({ tree, own, files }: Note, common: string): string[] {
  const before = new Map<string, Entry>();
  for (const [path, text] of Object.entries(files)) {
    const entry = unpacked(text, common);
    if (entry !== null) before.set(join(common, path), entry);
  }
  const after = recordOf([join(common, own)], [common]);
  const where = whereaboutsOf(dirname(join(common, own)), common);
  // A worktree that somebody has removed since has no settings any more.
  const isThere = (path: string) => path !== join(common, own) || existsSync(dirname(path));
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => isThere(path) && !isAllowed(path, before.get(path), after.get(path), where),
  );
  return putBackFiles({ tree, common, changed, keeps: changed, after, due: (path) => before.get(path) });
}

function saidOf(names: string[]): string {
  const were = names.length === 1 ? "which was" : "which were";
  return `an agent that was cut off, or somebody since, had changed ${names.join(", ")}, ${were} put back; if that was you, do it again now`;
}

/** A person may want to see what is left of it. */
function putAside(file: string): void {
  const aside = join(dirname(file), `damaged-${basename(file)}`);
  renameSync(file, aside);
  const said = `how git's settings were before an agent that was cut off was not noted whole: look at .git/config and .git/hooks; the note is now ${aside}`;
  writeWhole(toldBeside(file), JSON.stringify({ tree: "settings", said }));
}

function toldBeside(file: string): string {
  return join(dirname(file), `told-${basename(file)}`);
}

const NAME = new RegExp(`^(${OWNER.source})-(\\d+)\\.json$`);

function notesIn(common: string): { file: string; owner: string; nth: number }[] {
  return filesIn(common, NAME).map((file) => {
    const [, owner = "", , , , nth = ""] = NAME.exec(basename(file)) ?? [];
    return { file, owner, nth: Number(nth) };
  });
}

function filesIn(common: string, name: RegExp): string[] {
  try {
    const names = readdirSync(join(common, SETTINGS_NOTES)).filter((one) => name.test(one));
    return names.map((one) => join(common, SETTINGS_NOTES, one));
  } catch {
    return [];
  }
}

/** Null where it is gone: another process has dealt with it. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

/** All of it, or none: what is missing in half a note would be taken away. Nothing outside of git's folder is ever written. */
function noteOf(text: string): Note | null {
  const note = parsed(text);
  if (!isRecord(note) || !isRecord(note.files)) return null;
  const { tree, common, own, files } = note;
  if (!isText(tree) || !isText(common) || !isText(own)) return null;
  const isWithin = (path: string) => normalize(path) === path && !path.startsWith("..") && !path.startsWith("/");
  const isWhole = Object.values(files).every((one) => isText(one) && unpacked(one, common) !== null);
  return isWhole && [own, ...Object.keys(files)].every(isWithin)
    ? { tree, common, own, files: files as Record<string, string> }
    : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** At once, so that a note is never written again that was just removed. */
function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const staged = `${file}.${process.pid}.tmp`;
  writeFileSync(staged, text, { flush: true, mode: 0o600 });
  renameSync(staged, file);
  if (process.platform === "win32") return;
  const folder = openSync(dirname(file), "r");
  fsyncSync(folder);
  closeSync(folder);
}

const isText = (value: unknown): value is string => typeof value === "string";
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
