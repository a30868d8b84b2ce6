import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** Why a file is not read or written for an agent. */
export class NotAllowedError extends Error {
  override name = "NotAllowedError";
}

const MAX_BYTES = 32 * 1024 * 1024;

/** Reads a text file that truly lies in the folder. */
export async function readInside(cwd: string, path: string, lines: { line?: number; limit?: number }): Promise<string> {
  const root = await realpath(cwd);
  // Links within the folder are followed, once; what is then opened is held to be what was looked at.
  const parts = partsOf(root, await realpath(resolve(root, path)));
  return await openedAt(root, parts, constants.O_RDONLY, async (file) => {
    const { size } = await plainFile(file, path);
    if (size > MAX_BYTES) throw new NotAllowedError(`${path} is too large`);
    const text = await file.readFile("utf8");
    if (lines.line === undefined && lines.limit === undefined) return text;
    const from = Math.max(0, (lines.line ?? 1) - 1);
    return text
      .split(/(?<=\n)/)
      .slice(from, lines.limit === undefined ? undefined : from + lines.limit)
      .join("");
  });
}

/** Writes a text file in the folder: never over a link, and nothing of git's own. */
export async function writeInside(cwd: string, path: string, text: string): Promise<void> {
  const root = await realpath(cwd);
  const parts = partsOf(root, await placeOf(root, path));
  if (isGits(parts)) throw new NotAllowedError(`${path} belongs to git`);
  await openedAt(root, parts, constants.O_RDWR | constants.O_CREAT, async (file) => {
    await plainFile(file, path);
    await file.truncate(0);
    await file.writeFile(text);
  });
}

/** Whether a path leads into the folder and not into git's own. It need not be there yet. */
export async function isInside(cwd: string, path: string): Promise<boolean> {
  try {
    const root = await realpath(cwd);
    return !isGits(partsOf(root, await followed(root, path)));
  } catch {
    return false;
  }
}

function isGits(parts: readonly string[]): boolean {
  return parts.some((part) => part.toLowerCase() === ".git");
}

/** The path as it is written, under the real folder, whichever of the folder's names it was given by. */
async function placeOf(root: string, path: string): Promise<string> {
  const asked = resolve(root, path);
  return join(await existing(dirname(asked)), relative(await named(dirname(asked)), asked));
}

/** Where a path really leads, links followed as far as it exists. */
async function followed(root: string, path: string): Promise<string> {
  const asked = resolve(root, path);
  return join(await existing(asked), relative(await named(asked), asked));
}

/** The nearest folder or file above that exists, with its real name… */
async function existing(path: string): Promise<string> {
  return await realpath(await named(path));
}

/** … and with the name by which it was asked for. */
async function named(path: string): Promise<string> {
  const isThere = await lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT" || dirname(path) === path) throw error;
      return false;
    },
  );
  return isThere ? path : await named(dirname(path));
}

function partsOf(root: string, place: string): string[] {
  const inner = relative(root, place);
  if (inner === "" || inner.split(sep)[0] === ".." || isAbsolute(inner) || inner.includes("\0"))
    throw new NotAllowedError("the path leads out of the work tree");
  return inner.split(sep);
}

/**
 * Goes down folder by folder, each held open, so that nothing can be swapped for a link after it was looked at: what is
 * written here is written outside the agent's sandbox.
 */
async function openedAt<T>(
  root: string,
  parts: readonly string[],
  flags: number,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const handles: FileHandle[] = [];
  const makes = (flags & constants.O_CREAT) !== 0;
  try {
    let folder = await open(root, constants.O_RDONLY | constants.O_DIRECTORY);
    handles.push(folder);
    let path = root;
    for (const part of parts.slice(0, -1)) {
      if (makes) await mkdir(below(folder, path, part)).catch(ifThere);
      folder = await open(below(folder, path, part), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
      handles.push(folder);
      path = join(path, part);
    }
    const last = below(folder, path, parts.at(-1) ?? "");
    const file = await open(last, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o666);
    handles.push(file);
    return await use(file);
  } finally {
    await Promise.all(handles.map((handle) => handle.close()));
  }
}

function below(folder: FileHandle, path: string, part: string): string {
  return process.platform === "linux" ? `/proc/self/fd/${folder.fd}/${part}` : join(path, part);
}

function ifThere(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

async function plainFile(file: FileHandle, path: string) {
  const stat = await file.stat();
  if (!stat.isFile()) throw new NotAllowedError(`${path} is not a plain file`);
  return stat;
}
