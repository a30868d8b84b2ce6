import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve, sep } from "node:path";
import { probeSandbox } from "./probe.ts";

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

/**
 * What has to be read-only so that nobody in a work tree can change its repository: every work tree of it, and git's own
 * folder. Null where that cannot be had on this machine, or would shut the home folder as well.
 */
export async function foldersToKeep(tree: string): Promise<string[] | null> {
  if ((await probeSandbox()).state !== "works") return null;
  const folders = [...new Set(repositoryFolders(tree).flatMap(real))];
  const homes = real(process.env.HOME ?? homedir());
  return folders.some((folder) => homes.some((one) => one === folder || one.startsWith(folder + sep))) ? null : folders;
}

function repositoryFolders(tree: string): string[] {
  const [own = join(tree, ".git"), common = own] = gitFolders(tree);
  const main = basename(common) === ".git" ? [dirname(common)] : [];
  return [tree, common, ...main, ...linkedTrees(common)];
}

function linkedTrees(common: string): string[] {
  const records = join(common, "worktrees");
  try {
    return readdirSync(records).flatMap((name) => {
      const pointer = readFileSync(join(records, name, "gitdir"), "utf8").trim();
      return pointer === "" ? [] : [dirname(resolve(records, name, pointer))];
    });
  } catch {
    return [];
  }
}

/** Nothing, where there is nothing at a path. */
function real(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
