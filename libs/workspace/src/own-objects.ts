import { constants } from "node:fs";
import { copyFile, lstat, readdir, rename } from "node:fs/promises";
import { join } from "node:path";

const AT_ONCE = 16;

/**
 * Gives a clone files of its own in place of its hard links: whoever may write there could write the user's objects through them.
 * Where the file system can share the content of two files, a copy takes no room.
 */
export async function ownObjects(gitDir: string): Promise<void> {
  const files = (await filesIn(gitDir)).filter((path) => path.includes("/objects/"));
  for (let at = 0; at < files.length; at += AT_ONCE) await Promise.all(files.slice(at, at + AT_ONCE).map(own));
}

async function own(path: string): Promise<void> {
  if ((await lstat(path)).nlink === 1) return;
  const copy = `${path}.own`;
  await copyFile(path, copy, constants.COPYFILE_FICLONE);
  await rename(copy, path);
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
