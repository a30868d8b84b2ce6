import { randomUUID } from "node:crypto";
import { lstat, open, realpath, rename, rm } from "node:fs/promises";
import { isAbsolute, join, sep } from "node:path";

/** A text file inside the worktree, read for an edit. */
export interface OpenedFile {
  path: string;
  text: string;
  mode: number;
}

/** Opens a file only if it truly lies in the worktree: no way out by `..`, by absolute paths or over links. */
export async function openInside(worktree: string, file: string): Promise<OpenedFile | string> {
  const parts = file.split("/");
  if (file === "" || isAbsolute(file) || file.includes("\0") || (sep === "\\" && file.includes("\\"))) return OUTSIDE;
  if (parts.some((part) => part === "" || part === "." || part === ".." || part.toLowerCase() === ".git"))
    return OUTSIDE;
  let path = await realpath(worktree);
  for (const [index, part] of parts.entries()) {
    path = join(path, part);
    const stat = await lstat(path).catch(() => null);
    if (!stat) return "the file is not there";
    if (stat.isSymbolicLink()) return "the path goes over a symbolic link";
    if (index < parts.length - 1 ? !stat.isDirectory() : !stat.isFile()) return "it is not a plain file";
    if (index === parts.length - 1) return read(path, stat.mode & 0o7777);
  }
  return OUTSIDE;
}

const OUTSIDE = "the path leads out of the worktree";

async function read(path: string, mode: number): Promise<OpenedFile | string> {
  const handle = await open(path, "r");
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await handle.readFile());
    return { path, text, mode };
  } catch (error) {
    if (error instanceof TypeError) return "it is not UTF-8 text";
    throw error;
  } finally {
    await handle.close();
  }
}

/** Replaces the file in one step, so that a kill leaves either the old text or the new one. */
export async function replaceFile({ path, mode }: OpenedFile, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const handle = await open(temporary, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
