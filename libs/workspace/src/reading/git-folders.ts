import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

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
