import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Where a linked work tree has its history: its own folder of git, and the one that all work trees share. */
export function gitFolders(tree: string): string[] {
  const link = join(tree, ".git");
  if (!statSync(link, { throwIfNoEntry: false })?.isFile()) return [];
  const own = /^gitdir: (.+)$/m.exec(readFileSync(link, "utf8"))?.[1];
  if (own === undefined) return [];
  const folder = resolve(tree, own);
  try {
    return [folder, resolve(folder, readFileSync(join(folder, "commondir"), "utf8").trim())];
  } catch {
    return [folder];
  }
}

/** In the folder of git that all work trees share, beside the notes of attempts: how settings were before agents that work now. */
export const SETTINGS_NOTES = "anneal/settings";

/** The folder of git that all work trees share, of the repository that a folder belongs to. No git is asked. */
export function commonAbove(folder: string): string | null {
  const link = join(folder, ".git");
  if (statSync(link, { throwIfNoEntry: false }) !== undefined) return gitFolders(folder).at(-1) ?? link;
  return dirname(folder) === folder ? null : commonAbove(dirname(folder));
}
