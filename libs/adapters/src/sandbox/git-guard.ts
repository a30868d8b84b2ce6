import { cpSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { isOwnWrite } from "../files/own-writes.ts";
import { isHarmless, isHarmlessInSubmodule } from "./git-config.ts";
import { type Entry, isSame, make, recordOf, statOf } from "./git-files.ts";
import { ASKED_FROM_NOTE, gitFolders } from "./repository.ts";

/** `pointer`: what leads git from a work tree to its repository. `settings`: besides, what can make git start programs. */
export type Guarded = "pointer" | "settings";

export interface GitGuard {
  /** Puts back what was changed since, and names it; a change to settings may be a person's, so it is kept where the name says. */
  putBack(): string[];
}

/** Remembers what steers git in a work tree, before somebody works there whom nothing keeps off it. */
export function guardGit(tree: string, what: Guarded): GitGuard {
  const folders = gitFolders(tree);
  const [own = join(tree, ".git"), common = own] = folders;
  const isLinked = folders.length > 0;
  const pointer = isLinked ? [join(tree, ".git"), ...POINTERS.map((name) => join(own, name))] : [];
  // It moves with honest work; without it there is no repository.
  const head = join(own, "HEAD");
  const record = () => recordOf([...pointer, head], what === "settings" ? [common] : []);
  const begun = putBacks;
  const main = mainTree(own, common);
  const before = record();
  return {
    putBack() {
      if (isLinked) standAgain(tree);
      const after = record();
      const due = (path: string) => {
        const other = lately.get(path);
        return other !== undefined && other.nth > begun ? other.entry : before.get(path);
      };
      const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
        (path) =>
          !(path === head && after.has(head)) &&
          !(after.has(path) && isOwnWrite(path)) &&
          !isAllowed(due(path), after.get(path), { path, main, common }),
      );
      const isSetting = (path: string) => !pointer.includes(path) && path !== head;
      const kept = keep(
        common,
        changed.filter((path) => isSetting(path) && after.has(path)),
      );
      // First what is too much: a file or link may stand where a folder was.
      for (const path of changed)
        if (after.has(path) && !areFiles(after.get(path), due(path))) rmSync(path, { recursive: true, force: true });
      for (const path of changed) make(path, due(path));
      const nth = ++putBacks;
      for (const path of changed) lately.set(path, { nth, entry: due(path) });
      return changed.map(
        (path) => `${nameOf(path, tree, common)}${kept.has(path) ? ` (kept as ${kept.get(path)})` : ""}`,
      );
    },
  };
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

interface Whereabouts {
  path: string;
  main: string | null;
  common: string;
}

/** People work in their repository all the while: what starts no program and leads git nowhere else is theirs to change. */
function isAllowed(due: Entry | undefined, now: Entry | undefined, { path, main, common }: Whereabouts): boolean {
  if (isSame(due, now)) return true;
  if (now === undefined) {
    // A submodule that is gone as a whole: what is here of it would make none.
    return due?.submodule !== undefined && statOf(due.submodule) === undefined;
  }
  if (!("content" in now) || now.as !== "config") return false;
  if (due === undefined) {
    const { submodule } = now;
    if (submodule === undefined) return isHarmless(Buffer.alloc(0), now.content);
    const isIn = (place: string, folder: string) => place.startsWith(folder + sep);
    return isHarmlessInSubmodule(now.content, (workTree) => {
      const place = realOf(resolve(dirname(path), workTree));
      return main !== null && isIn(place, realOf(main)) && !isIn(place + sep, realOf(common));
    });
  }
  return "content" in due && due.mode === now.mode && isHarmless(due.content, now.content);
}

/** Where a submodule may have its files. */
function mainTree(own: string, common: string): string | null {
  if (basename(common) === ".git") return dirname(common);
  const note = join(own, ASKED_FROM_NOTE);
  return statOf(note)?.isFile() ? readFileSync(note, "utf8").trim() : null;
}

/** Of a place where nothing is yet, as far as there is something. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realOf(dirname(path)), basename(path));
  }
}

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
