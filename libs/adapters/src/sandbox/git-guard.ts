import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { isOwnWrite } from "../files/own-writes.ts";
import { ASKED_FROM_NOTE, gitFolders } from "./repository.ts";

/** `pointer`: what leads git from a work tree to its repository. `settings`: besides, what can make git start programs. */
export type Guarded = "pointer" | "settings";

export interface GitGuard {
  /** Puts back what was changed since, and names it; a change to settings may be a person's, so it is kept where the name says. */
  putBack(): string[];
}

/** Remembers what steers git in a work tree, before somebody works there whom nothing keeps off it. */
export function guardGit(tree: string, what: Guarded): GitGuard {
  const folders = gitFolders(tree);
  const [own = join(tree, ".git"), common = own] = folders;
  const isLinked = folders.length > 0;
  const pointer = isLinked ? [join(tree, ".git"), ...POINTERS.map((name) => join(own, name))] : [];
  // It moves with honest work; without it there is no repository.
  const head = join(own, "HEAD");
  const settings = what === "settings" ? SETTINGS.map((name) => join(common, name)) : [];
  const before = recordOf([...pointer, ...settings, head]);
  return {
    putBack() {
      if (isLinked) standAgain(tree);
      const after = recordOf([...pointer, ...settings, head]);
      const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
        (path) =>
          !(path === head && after.has(head)) && !isSame(before.get(path), after.get(path)) && !isOwnWrite(path),
      );
      const isSetting = (path: string) => !pointer.includes(path) && path !== head;
      const kept = keep(
        common,
        changed.filter((path) => isSetting(path) && after.has(path)),
      );
      // First what is too much: a file or link may stand where a folder was.
      for (const path of changed) if (after.has(path)) rmSync(path, { recursive: true, force: true });
      for (const path of changed) make(path, before.get(path));
      return changed.map(
        (path) => `${nameOf(path, tree, common)}${kept.has(path) ? ` (kept as ${kept.get(path)})` : ""}`,
      );
    },
  };
}

const POINTERS = ["gitdir", "commondir", "config.worktree", ASKED_FROM_NOTE];
const SETTINGS = ["config", "hooks", "info", "objects/info/alternates", "modules"];

/** Of submodules only what can start programs: their own refs and index move with honest work. */
const SUBMODULE_SETTING = /\/modules\/.*\/(config|hooks\/.*)$/;

type Entry = { mode: number; content: Buffer } | { link: string } | { other: number };

function recordOf(paths: readonly string[]): Map<string, Entry> {
  const found = new Map<string, Entry>();
  const look = (path: string, top: string) => {
    const stat = statOf(path);
    if (stat === undefined) return;
    // In the place of a pointer a folder is a repository of somebody else's, and is not looked into.
    if (stat.isDirectory() && FOLDERS.test(top)) {
      const names = readdirSync(path).filter((name) => name !== "objects" && name !== "logs");
      for (const name of names) look(join(path, name), top);
    } else if (!top.endsWith("/modules") || SUBMODULE_SETTING.test(path)) found.set(path, entryOf(path, stat));
  };
  for (const path of paths) look(path, path);
  return found;
}

/** Nothing either where a file stands in the place of a folder on the way. */
function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

const FOLDERS = /\/(hooks|info|modules)$/;

function entryOf(path: string, stat: Stats): Entry {
  if (stat.isSymbolicLink()) return { link: readlinkSync(path) };
  return stat.isFile() ? { mode: stat.mode, content: readFileSync(path) } : { other: stat.mode };
}

function isSame(a: Entry | undefined, b: Entry | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if ("content" in a && "content" in b) return a.mode === b.mode && gist(a.content) === gist(b.content);
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Git notes for every branch that follows another one whom it follows: people make branches all the time. */
function gist(content: Buffer): string {
  return content.toString("latin1").replace(/^\[branch "[^"\\\n]*"\]\n(?:\t[a-zA-Z][\w-]* = [^"\\\n]*\n)*/gm, "");
}

/** A folder that is gone, or a link in its place: what lies in it is nothing that anybody asked for. */
function standAgain(tree: string): void {
  const found = lstatSync(tree, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  rmSync(tree, { force: true });
  mkdirSync(tree, { recursive: true });
}

function keep(common: string, paths: string[]): Map<string, string> {
  const folder = join(common, "anneal", `put-back-${process.pid}-${Date.now()}`);
  const kept = new Map<string, string>();
  for (const path of paths) {
    const target = join(folder, relative(common, path));
    mkdirSync(dirname(target), { recursive: true });
    renameSync(path, target);
    kept.set(path, target);
  }
  return kept;
}

function make(path: string, entry: Entry | undefined): void {
  if (entry === undefined || "other" in entry) return;
  mkdirSync(dirname(path), { recursive: true });
  if ("link" in entry) symlinkSync(entry.link, path);
  else writeFileSync(path, entry.content, { mode: entry.mode });
}

function nameOf(path: string, tree: string, common: string): string {
  return path === join(tree, ".git") ? ".git" : join(".git", relative(common, path));
}

/** What whoever worked there did, in words. */
export function strayed(names: readonly string[]): string {
  const were = names.length === 1 ? "which was" : "which were";
  return `changed ${names.join(", ")}, ${were} put back: git's own files are not part of the work`;
}
