import { constants, lstat, mkdir, open, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize, sep } from "node:path";
import type { Repo } from "@anneal/git";
import { failpoint } from "@anneal/system/failpoint";
import { writeAtomic } from "@anneal/system/files/atomic";
import { OutsideJail } from "@anneal/system/files/errors";
import { readNote } from "@anneal/workspace";

/** Copies files of the main work tree that git does not carry over, such as `.env`, and keeps them out of every commit. */
export async function copyInto(worktree: Repo, paths: string[]): Promise<{ copied: string[]; missing: string[] }> {
  const main = readNote(worktree.root)?.project ?? worktree.root;
  const copied: string[] = [];
  const missing: string[] = [];
  for (const path of paths.map(insidePath)) {
    // A tracked file came with the checkout, and the agent may have changed it.
    if (main === worktree.root || (await worktree.tracks(path))) continue;
    const source = await sourceFile(main, path);
    if (source === null) {
      missing.push(path);
      continue;
    }
    await worktree.excludePaths([path]);
    await makeFolders(worktree.root, dirname(path));
    failpoint("setup.copy.before");
    await writeAtomic(join(worktree.root, path), source.bytes, { jail: worktree.root, mode: source.mode });
    failpoint("setup.copy.after");
    copied.push(path);
  }
  return { copied, missing };
}

function insidePath(path: string): string {
  const normal = normalize(path);
  const parts = normal.split(sep);
  if (isAbsolute(path) || parts[0] === ".." || normal === "." || parts.includes(".git")) {
    throw new OutsideJail(path, "it does not name a file inside the work tree");
  }
  return normal;
}

/** The bytes of a file in the main tree, links followed as long as they stay in it; null where there is none. */
async function sourceFile(main: string, path: string): Promise<{ bytes: Buffer; mode: number } | null> {
  const real = await realpath(join(main, path)).catch(() => null);
  if (real === null) return null;
  if (!real.startsWith((await realpath(main)) + sep)) throw new OutsideJail(path, `it leads out of ${main}`);
  const handle = await open(real, constants.O_RDONLY);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new OutsideJail(path, "it is not a file");
    return { bytes: await handle.readFile(), mode: found.mode & 0o777 };
  } finally {
    await handle.close();
  }
}

/** Makes the folders above a file one by one: a link among them could lead anywhere. */
async function makeFolders(root: string, folder: string): Promise<void> {
  if (folder === ".") return;
  await makeFolders(root, dirname(folder));
  const path = join(root, folder);
  const found = await lstat(path).catch(() => null);
  if (found === null) await mkdir(path);
  else if (!found.isDirectory()) throw new OutsideJail(path, "it is not a folder of the work tree");
}
