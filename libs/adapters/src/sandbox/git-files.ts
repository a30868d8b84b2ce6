import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  type Stats,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";

/** Something that steers git. `submodule`: the folder of the submodule whose it is. */
export type Entry = (
  | { mode: number; content: Buffer; as: "file" | "config" }
  | { link: string }
  | { other: number }
) & {
  submodule?: string;
};

/** The files of git's own that are not to be changed, with what is in them. */
export function recordOf(exactly: readonly string[], settingsOf: readonly string[]): Map<string, Entry> {
  const found = new Map<string, Entry>();
  for (const folder of settingsOf) {
    noteProgramsOf(found, folder);
    noteFolder(found, join(folder, "info"), (name) => INFO.has(name));
    note(found, join(folder, "objects/info/alternates"), "file");
    // Each linked work tree has submodules of its own.
    const linked = namesIn(join(folder, "worktrees")).map((name) => join(folder, "worktrees", name));
    for (const owner of [folder, ...linked]) noteSubmodules(found, join(owner, "modules"));
  }
  // In the place of a pointer a folder is a repository of somebody else's, and is not looked into.
  for (const path of exactly) note(found, path, "file");
  return found;
}

function namesIn(folder: string): string[] {
  return statOf(folder)?.isDirectory() ? readdirSync(folder) : [];
}

/** All else in there git writes for others to read. */
const INFO = new Set(["exclude", "attributes", "sparse-checkout", "grafts"]);

function noteProgramsOf(found: Map<string, Entry>, folder: string, submodule?: string): void {
  for (const name of ["config", "config.worktree"]) note(found, join(folder, name), "config", submodule);
  // Git starts no examples, and brings them along wherever it makes a repository.
  noteFolder(found, join(folder, "hooks"), (name) => !name.endsWith(".sample"), submodule);
}

function noteFolder(
  found: Map<string, Entry>,
  path: string,
  counts: (name: string) => boolean,
  submodule?: string,
): void {
  const names = statOf(path)?.isDirectory() ? readdirSync(path) : null;
  if (names === null) note(found, path, "file", submodule);
  else for (const name of names.filter(counts)) noteFolder(found, join(path, name), () => true, submodule);
}

/** Only what can start programs: their own refs and index move with honest work. The name of one may have folders. */
function noteSubmodules(found: Map<string, Entry>, path: string): void {
  const stat = statOf(path);
  if (stat?.isSymbolicLink() || (stat?.isFile() && basename(path) === "modules")) note(found, path, "file");
  if (!stat?.isDirectory()) return;
  const names = readdirSync(path);
  const isRepository = names.includes("HEAD") || statOf(join(path, "config"))?.isFile() === true;
  if (isRepository) noteProgramsOf(found, path, path);
  for (const name of names) if (!(isRepository && INNARDS.has(name))) noteSubmodules(found, join(path, name));
}

const INNARDS = new Set(["HEAD", "config", "config.worktree", "hooks", "info", "logs", "objects", "refs"]);

function note(found: Map<string, Entry>, path: string, as: "file" | "config", submodule?: string): void {
  const stat = statOf(path);
  if (stat !== undefined)
    found.set(path, { ...entryOf(path, stat, as), ...(submodule === undefined ? {} : { submodule }) });
}

function entryOf(path: string, stat: Stats, as: "file" | "config"): Entry {
  if (stat.isSymbolicLink()) return { link: readlinkSync(path) };
  return stat.isFile() ? { mode: stat.mode, content: readFileSync(path), as } : { other: stat.mode };
}

/** Nothing either where a file stands in the place of a folder on the way. */
export function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export function isSame(a: Entry | undefined, b: Entry | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if ("content" in a && "content" in b) return a.mode === b.mode && a.content.equals(b.content);
  return JSON.stringify(a) === JSON.stringify(b);
}

export function make(path: string, entry: Entry | undefined): void {
  if (entry === undefined || "other" in entry) return;
  mkdirSync(dirname(path), { recursive: true });
  if ("link" in entry) {
    symlinkSync(entry.link, path);
    return;
  }
  const staged = `${path}.${process.pid}.anneal-tmp`;
  writeFileSync(staged, entry.content, { mode: entry.mode });
  renameSync(staged, path);
}

/** An entry as text, with the paths in it as seen from a folder. */
export function packed(entry: Entry, folder: string): string {
  const { submodule } = entry;
  const within = submodule === undefined ? {} : { submodule: relative(folder, submodule) };
  if (!("content" in entry)) return JSON.stringify({ ...entry, ...within });
  return JSON.stringify({ ...entry, content: entry.content.toString("base64"), ...within });
}

/** Null where the text is none of an entry. */
export function unpacked(text: string, folder: string): Entry | null {
  const value = parsed(text);
  if (typeof value !== "object" || value === null) return null;
  const { mode, content, as, link, other, submodule } = value as Record<string, unknown>;
  const within = typeof submodule === "string" ? { submodule: join(folder, submodule) } : {};
  if (typeof link === "string") return { link, ...within };
  if (typeof other === "number") return { other, ...within };
  if (typeof mode !== "number" || typeof content !== "string" || (as !== "file" && as !== "config")) return null;
  return { mode, content: Buffer.from(content, "base64"), as, ...within };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
