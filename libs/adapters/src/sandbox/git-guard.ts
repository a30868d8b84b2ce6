import { cpSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isOwnWrite } from "../files/own-writes.ts";
import { isHead } from "../git/head-file.ts";
import { isAllowed, whereaboutsOf } from "./git-allowed.ts";
import { type Entry, make, recordOf, statOf } from "./git-files.ts";
import { gitFolders } from "./git-folders.ts";
import { ASKED_FROM_NOTE } from "./repository.ts";

/** `pointer`: what leads git from a work tree to its repository. `settings`: besides, what can make git start programs. */
export type Guarded = "pointer" | "settings";

export interface GitGuard {
  /** Puts back what was changed since, and names it; a change to settings may be a person's, so it is kept where the name says. */
  putBack(): string[];
}

/** A guard whose files somebody else can put back as well. */
export interface OpenGuard extends GitGuard {
  common: string;
  /** Git's settings of this work tree alone, whether there are any or not. */
  ownSettings: string;
  /** How settings are to be: as they were, but for what this process has written or put back since. */
  due(): Map<string, Entry>;
}

/** Remembers what steers git in a work tree, before somebody works there whom nothing keeps off it. */
export function guardGit(tree: string, what: Guarded): OpenGuard {
  const folders = gitFolders(tree);
  const [own = join(tree, ".git"), common = own] = folders;
  const isLinked = folders.length > 0;
  const pointer = isLinked ? [join(tree, ".git"), ...POINTERS.map((name) => join(own, name))] : [];
  // It moves with honest work; without one that git can read there is no repository.
  const head = join(own, "HEAD");
  const record = () => recordOf([...pointer, head], what === "settings" ? [common] : []);
  const begun = putBacks;
  const where = whereaboutsOf(own, common);
  const before = record();
  const due = (path: string) => {
    const other = lately.get(path);
    return other !== undefined && other.nth > begun ? other.entry : before.get(path);
  };
  const ownSettings = join(own, "config.worktree");
  const isSetting = (path: string) => path === ownSettings || !(pointer.includes(path) || path === head);
  return {
    common,
    ownSettings,
    due() {
      const now = record();
      const paths = [...new Set([...before.keys(), ...now.keys()])].filter(isSetting);
      const entries = paths.map((path): [string, Entry | undefined] => [
        path,
        now.has(path) && isOwnWrite(path) ? now.get(path) : due(path),
      ]);
      return new Map(entries.flatMap(([path, entry]) => (entry === undefined ? [] : [[path, entry]])));
    },
    putBack() {
      if (isLinked) standAgain(tree);
      const after = record();
      const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
        (path) =>
          !(path === head && isHeadEntry(after.get(head))) && !isAllowed(path, due(path), after.get(path), where),
      );
      const keeps = changed.filter((path) => !pointer.includes(path) && path !== head);
      return putBackFiles({ tree, common, changed, keeps, after, due });
    },
  };
}

function isHeadEntry(entry: Entry | undefined): boolean {
  if (entry === undefined || "other" in entry) return false;
  return isHead("link" in entry ? `ref: ${entry.link}` : entry.content.toString("latin1"));
}

/** Files that are not as they are to be. */
interface Changed {
  tree: string;
  common: string;
  changed: string[];
  /** Those of which a copy is kept. */
  keeps: string[];
  after: ReadonlyMap<string, Entry>;
  due(path: string): Entry | undefined;
}

/** Makes files again as they are to be, and names them. */
export function putBackFiles({ tree, common, changed, keeps, after, due }: Changed): string[] {
  const kept = keep(
    common,
    keeps.filter((path) => after.has(path)),
  );
  // First what is too much: a file or link may stand where a folder was.
  for (const path of changed)
    if (after.has(path) && !areFiles(after.get(path), due(path))) rmSync(path, { recursive: true, force: true });
  for (const path of changed) make(path, due(path));
  const nth = ++putBacks;
  for (const path of changed) lately.set(path, { nth, entry: due(path) });
  return changed.map((path) => `${nameOf(path, tree, common)}${kept.has(path) ? ` (kept as ${kept.get(path)})` : ""}`);
}

/** One takes the place of the other in a moment, so that there is never none. */
function areFiles(now: Entry | undefined, due: Entry | undefined): boolean {
  return now !== undefined && due !== undefined && "content" in now && "content" in due;
}

const POINTERS = ["gitdir", "commondir", "config.worktree", ASKED_FROM_NOTE];

/**
 * What guards of this process have put back: for those that began before, that is how things are to be. Told by content, as an
 * agent can give a file back the size and time that it had.
 */
const lately = new Map<string, { nth: number; entry: Entry | undefined }>();
let putBacks = 0;

/** A folder that is gone, or a link in its place: what lies in it is nothing that anybody asked for. */
function standAgain(tree: string): void {
  const found = lstatSync(tree, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  rmSync(tree, { force: true });
  mkdirSync(tree, { recursive: true });
}

/** What cannot be kept is put back all the same. */
function keep(common: string, paths: string[]): Map<string, string> {
  const home = join(common, "anneal");
  const kept = new Map<string, string>();
  if (statOf(home)?.isSymbolicLink()) return kept;
  for (const path of paths) {
    const target = join(home, `put-back-${process.pid}-${Date.now()}`, relative(common, path));
    try {
      mkdirSync(dirname(target), { recursive: true });
      cpSync(path, target, { recursive: true, verbatimSymlinks: true });
      kept.set(path, target);
    } catch {
      // A full disk must not leave in force what somebody else has set.
    }
  }
  return kept;
}

function nameOf(path: string, tree: string, common: string): string {
  return path === join(tree, ".git") ? ".git" : join(".git", relative(common, path));
}

/** What whoever worked there did, in words. */
export function strayed(names: readonly string[]): string {
  const were = names.length === 1 ? "which was" : "which were";
  return `changed ${names.join(", ")}, ${were} put back: git's own files are not part of the work`;
}
