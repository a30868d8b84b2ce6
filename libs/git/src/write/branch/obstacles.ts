import { lstat, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemCode } from "@anneal/system/files/errors";
import { GITLINK } from "../../read/diff/raw.ts";
import { GitError } from "../../run/errors.ts";

export type OnDisk = "missing" | "folder" | "file";

/** What is at a path; a link is a file here, and nothing is followed. */
export async function onDisk(path: string): Promise<OnDisk> {
  try {
    return (await lstat(path)).isDirectory() ? "folder" : "file";
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return "missing";
    throw new GitError("failed", `${path} cannot be read: check its permissions`, { cause: error });
  }
}

export interface Obstacles {
  /** New paths where a file or link is already. */
  occupied: string[];
  /** Files that git does not track and that would have to go: ignored ones too, which git itself would overwrite. */
  strangers: string[];
}

/** What stands where new files are to be written. `leaving` are tracked files that make room. */
export async function obstacles(
  root: string,
  arriving: { path: string; newMode: string }[],
  leaving: ReadonlySet<string>,
): Promise<Obstacles> {
  const seen = new Map<string, Promise<OnDisk>>();
  const look = (path: string) => {
    const known = seen.get(path) ?? onDisk(join(root, path));
    seen.set(path, known);
    return known;
  };
  const occupied: string[] = [];
  const strangers = new Set<string>();
  for (const { path, newMode } of arriving) {
    const parent = await firstNonFolder(path, look);
    if (parent !== null) {
      if ((await look(parent)) === "file" && !leaving.has(parent)) strangers.add(parent);
      continue;
    }
    const found = await look(path);
    if (found === "file") occupied.push(path);
    // A submodule that comes to a folder leaves what is in it.
    if (found !== "folder" || newMode === GITLINK) continue;
    for (const file of await filesBelow(root, path)) if (!leaving.has(file)) strangers.add(file);
  }
  return { occupied, strangers: [...strangers] };
}

/** The topmost parent that is no folder; null where all are. */
async function firstNonFolder(path: string, look: (path: string) => Promise<OnDisk>): Promise<string | null> {
  const parent = dirname(path);
  if (parent === ".") return null;
  const above = await firstNonFolder(parent, look);
  if (above !== null) return above;
  return (await look(parent)) === "folder" ? null : parent;
}

async function filesBelow(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const lists = entries.map(async (entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? await filesBelow(root, path) : [path];
  });
  return (await Promise.all(lists)).flat();
}
