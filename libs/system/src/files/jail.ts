import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { OutsideJail, systemCode } from "./errors.ts";

/**
 * The real path to write at, so that a link to a file survives a rename onto it.
 * With a jail, it has to lie in that folder after all links are followed; a link to nowhere is refused in any case.
 * A path without links has none within its jail either.
 * At once: the names are in memory, and a thread would take longer to be asked than to look.
 */
export function realTarget(path: string, jail?: string): string {
  const candidate = join(realpathSync.native(dirname(path)), basename(path));
  const target = isLink(candidate) ? followed(path, candidate) : candidate;
  if (jail === undefined || (target === path && path.startsWith(jail + sep))) return target;
  if (target.startsWith(realpathSync.native(jail) + sep)) return target;
  throw new OutsideJail(path, `it leads out of ${jail}`);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function followed(path: string, link: string): string {
  try {
    return realpathSync.native(link);
  } catch (error) {
    if (systemCode(error) === "ENOENT") throw new OutsideJail(path, "it is a symbolic link to nowhere");
    throw error;
  }
}
