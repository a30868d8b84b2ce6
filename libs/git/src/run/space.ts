import { statfs } from "node:fs/promises";
import { GitError } from "./errors.ts";
import { nearestFolder } from "./paths.ts";

/** The bytes that may still be written at a path, which need not exist yet. */
export async function freeSpace(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(await nearestFolder(path), { bigint: true });
  return Number(bavail * bsize);
}

/** Throws where fewer bytes are free than are needed. */
export async function requireSpace(path: string, neededBytes: number): Promise<void> {
  const free = await freeSpace(path);
  if (free >= neededBytes) return;
  throw new GitError("no-space", `only ${mb(free)} MB are free at ${path}, and ${mb(neededBytes)} MB are needed`);
}

function mb(bytes: number): number {
  return Math.floor(bytes / 1_000_000);
}
