import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Whether a path is a folder or lies in it. */
export function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/** An absolute path without links, as git names it; its last parts need not exist yet. */
export async function realPathOf(path: string): Promise<string> {
  const known = await realpath(path).catch(() => null);
  if (known !== null || dirname(path) === path) return known ?? path;
  return join(await realPathOf(dirname(path)), basename(path));
}

/** The nearest folder above that exists. */
export async function nearestFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() || dirname(path) === path ? path : nearestFolder(dirname(path));
}
