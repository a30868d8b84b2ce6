import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Places } from "./places.ts";

// Nothing here may open one of these files: closing any handle on them would drop SQLite's locks for the whole process.

/** The second names of a project's own files, in the folder of git, where no branch comes. */
export interface SecondNames {
  folder: string;
  /** Everything in it. */
  files: string[];
  names: SecondName[];
}

export interface SecondName {
  /** The first name, in `.automaker`. */
  name: string;
  path: string;
  inode: bigint;
  /** False in a copied folder: there it is a file of its own, and says nothing about the one in the work tree. */
  isLink: boolean;
}

/** How a file stands to its second name; unknown where it has none that says anything. */
export type Standing = "in-place" | "gone" | "exchanged" | "unknown";

export function secondNames(places: Places): SecondNames | null {
  const folder = folderOf(places);
  if (folder === null) return null;
  const files = filesIn(folder);
  const names = files.flatMap((file) => {
    // The inode is part of the name: after a copy of the folder it is another one.
    const [, name, noted] = /^(anneal\.(?:lock|db|db-\w+))\.(\d+)$/.exec(file) ?? [];
    const path = join(folder, file);
    const inode = name === undefined ? null : inodeOf(path);
    if (name === undefined || noted === undefined || inode === null) return [];
    return [{ name, path, inode, isLink: inode === BigInt(noted) }];
  });
  return { folder, files, names };
}

export function secondOf({ names }: SecondNames, name: string): SecondName | undefined {
  const same = names.filter((one) => one.name === name);
  return same.find(({ isLink }) => isLink) ?? same[0];
}

export function standing(places: Places, kept: SecondNames, name: string): Standing {
  const second = secondOf(kept, name);
  const found = inodeOf(join(places.folder, name));
  if (second === undefined) return "unknown";
  if (found === null) return "gone";
  if (found === second.inode) return "in-place";
  return second.isLink ? "exchanged" : "unknown";
}

/** Gives a file its first name back, unless another process was faster. */
export function linkBack(places: Places, kept: SecondNames, name: string): void {
  const second = secondOf(kept, name);
  if (second !== undefined) linkUnlessThere(second.path, join(places.folder, name));
}

/** Gives a file a second name instead of those that others had before it. */
export function linkAside(places: Places, { folder, names }: SecondNames, name: string): void {
  const path = join(places.folder, name);
  const inode = inodeOf(path);
  const known = names.filter((one) => one.name === name);
  if (known.some((one) => one.isLink && one.inode === inode)) return;
  for (const old of known) rmSync(old.path, { force: true });
  if (inode === null) return;
  mkdirSync(folder, { recursive: true });
  linkUnlessThere(path, join(folder, `${name}.${inode}`));
}

/** The second names of blobs, whose own names say already what they hold. */
export function keptBlobs(places: Places): string | null {
  const folder = folderOf(places);
  return folder === null ? null : join(folder, "blobs");
}

/** Where there is nothing to link, or no way to, things stay as they are. */
export function linkQuietly(from: string, to: string): void {
  try {
    mkdirSync(dirname(to), { recursive: true });
    linkSync(from, to);
  } catch {
    // The one who looks for it says what is missing.
  }
}

/** As a whole number: those of some file systems are too long for an ordinary one. */
export function inodeOf(path: string): bigint | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
  } catch {
    // A file where a folder should be.
    return null;
  }
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

/** In the folder of git that belongs to this very work tree. */
function folderOf({ folder }: Places): string | null {
  const root = dirname(folder);
  const git = join(root, ".git");
  const found = statSync(git, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (found.isDirectory()) return join(git, "anneal/log");
  const [, elsewhere] = /^gitdir: (.*)$/m.exec(readFileSync(git, "utf8")) ?? [];
  return elsewhere === undefined ? null : join(resolve(root, elsewhere), "anneal/log");
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkUnlessThere(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!hasCode(error, "EEXIST", "ENOENT")) throw error;
  }
}
