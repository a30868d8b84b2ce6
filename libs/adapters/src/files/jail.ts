import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { OutsideJail, systemCode } from "./errors.ts";

/**
 * The real path to write at, so that a link to a file survives a rename onto it.
 * With a jail, it has to lie in that folder after all links are followed; a link to nowhere is refused in any case.
 */
export async function realTarget(path: string, jail?: string): Promise<string> {
  const candidate = join(await realpath(dirname(path)), basename(path));
  const target = (await isLink(candidate)) ? await followed(path, candidate) : candidate;
  if (jail !== undefined && !target.startsWith((await realpath(jail)) + sep)) {
    throw new OutsideJail(path, `it leads out of ${jail}`);
  }
  return target;
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}

async function followed(path: string, link: string): Promise<string> {
  try {
    return await realpath(link);
  } catch (error) {
    if (systemCode(error) === "ENOENT") throw new OutsideJail(path, "it is a symbolic link to nowhere");
    throw error;
  }
}
