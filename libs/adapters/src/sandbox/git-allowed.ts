import { readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { isOwnWrite } from "../files/own-writes.ts";
import { isHarmless, isHarmlessInSubmodule } from "./git-config.ts";
import { type Entry, isSame, statOf } from "./git-files.ts";
import { ASKED_FROM_NOTE } from "./repository.ts";

/** Of a repository: where its submodules may have their files, and the folder of git that all its work trees share. */
export interface Whereabouts {
  main: string | null;
  common: string;
}

export function whereaboutsOf(own: string, common: string): Whereabouts {
  if (basename(common) === ".git") return { main: dirname(common), common };
  const note = join(own, ASKED_FROM_NOTE);
  return { main: statOf(note)?.isFile() ? readFileSync(note, "utf8").trim() : null, common };
}

/**
 * Whether a file that steers git may be as it is now. People work in their repository all the while: what starts no program
 * and leads git nowhere else is theirs to change. What this process wrote is right.
 */
export function isAllowed(path: string, due: Entry | undefined, now: Entry | undefined, where: Whereabouts): boolean {
  if (isSame(due, now)) return true;
  if (now === undefined) {
    // A submodule that is gone as a whole: what is here of it would make none.
    return due?.submodule !== undefined && statOf(due.submodule) === undefined;
  }
  if (isOwnWrite(path)) return true;
  if (!("content" in now) || now.as !== "config") return false;
  if (due === undefined) {
    const { submodule } = now;
    if (submodule === undefined) return isHarmless(Buffer.alloc(0), now.content);
    return isHarmlessInSubmodule(now.content, (workTree) => mayHold(path, resolve(dirname(path), workTree), where));
  }
  return "content" in due && due.mode === now.mode && isHarmless(due.content, now.content);
}

/** Whether the files of a submodule may lie somewhere, given by its settings: in the work tree whose it is. */
function mayHold(settings: string, place: string, { main, common }: Whereabouts): boolean {
  const isIn = (path: string, folder: string) => path.startsWith(folder + sep);
  const owner = isIn(settings, join(common, "worktrees")) ? linkedTree(settings, common) : main;
  return owner !== null && isIn(realOf(place), realOf(owner)) && !isIn(realOf(place) + sep, realOf(common));
}

function linkedTree(settings: string, common: string): string | null {
  const [name = ""] = relative(join(common, "worktrees"), settings).split(sep);
  const pointer = join(common, "worktrees", name, "gitdir");
  return statOf(pointer)?.isFile() ? dirname(resolve(dirname(pointer), readFileSync(pointer, "utf8").trim())) : null;
}

/** Of a place where nothing is yet, as far as there is something. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realOf(dirname(path)), basename(path));
  }
}
