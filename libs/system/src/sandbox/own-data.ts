import { readdirSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, sep } from "node:path";
import { dataDirectory } from "../files/data-directory.ts";

/**
 * What no box shows: the folder with tokens, consent and the user's settings. Where that folder holds what the box is for, or
 * the home folder, the files at its top.
 */
export function ownData(needed: readonly string[], data = dataDirectory(), home = homedir()): string[] {
  const [folder] = real(data);
  if (folder === undefined || !statSync(folder).isDirectory()) return [];
  const holds = (path: string) => path === folder || path.startsWith(folder === sep ? sep : folder + sep);
  if (![home, ...needed].flatMap(real).some(holds)) return [folder];
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ name }) => join(folder, name));
}

/** Nothing, where there is nothing at a path. */
function real(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
