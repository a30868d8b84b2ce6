import { readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
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
    return isHarmlessInSubmodule(now.content, (workTree) => mayHold(resolve(dirname(path), workTree), where));
  }
  return "content" in due && due.mode === now.mode && isHarmless(due.content, now.content);
}

function mayHold(workTree: string, { main, common }: Whereabouts): boolean {
  const isIn = (place: string, folder: string) => place.startsWith(folder + sep);
  const place = realOf(workTree);
  return main !== null && isIn(place, realOf(main)) && !isIn(place + sep, realOf(common));
}

/** Of a place where nothing is yet, as far as there is something. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realOf(dirname(path)), basename(path));
  }
}
