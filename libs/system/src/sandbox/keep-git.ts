import {
  chmodSync,
  type Dirent,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { folderKind, isPlainFile } from "../files/path-kinds.ts";

/** In `.git` of every workspace of ours: whose it is. */
export const WORKSPACE_NOTE = "anneal-workspace.json";

/** Whether a folder is a workspace of ours: its `.git` is a folder that nobody else uses. */
export function isWorkspace(tree: string): boolean {
  return folderKind(join(tree, ".git")) === "folder" && isPlainFile(join(tree, ".git", WORKSPACE_NOTE));
}

/** What git goes by in a folder of its own, what could lead it elsewhere, and what would hide history from it. */
const FILES = [
  ...["config", "config.worktree", "commondir", "gitdir", "shallow", WORKSPACE_NOTE],
  ...["info/exclude", "info/attributes", "info/grafts", "objects/info/alternates", "objects/info/http-alternates"],
];

type Files = Map<string, { content: Buffer; mode: number }>;

/** Remembers what git in a workspace goes by, and puts it back: whoever works there must not start programs of their own through us. */
export function keepGit(tree: string): () => void {
  const gitDir = join(tree, ".git");
  if (!isWorkspace(tree)) return () => {};
  const before = recordOf(gitDir);
  const head = headIn(gitDir);
  return () => {
    if (!leadsNowhereElse(gitDir)) return;
    putBack(gitDir, before);
    if (head !== null && headIn(gitDir) === null) writeAnew(join(gitDir, "HEAD"), head);
  };
}

/** Takes every link out of git's own folder, and the folder itself where it is one. False where no folder is left. */
export function leadsNowhereElse(gitDir: string): boolean {
  const kind = folderKind(gitDir);
  // Our git would follow it, to the user's repository or any other.
  if (kind === "other") rmSync(gitDir, { force: true });
  if (kind !== "folder") return false;
  dropLinks(gitDir);
  return true;
}

function dropLinks(folder: string): void {
  for (const entry of entriesIn(folder)) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) rmSync(path, { force: true });
    // Objects are many, and git never writes through one of them.
    else if (entry.isDirectory() && !(basename(folder) === "objects" && entry.name.length === 2)) dropLinks(path);
  }
}

const HEADS = /^(?:ref: refs\/\S+|[0-9a-f]{40}|[0-9a-f]{64})\n$/;

/** What HEAD says, or null where git could not read it, and would find no repository. */
export function headIn(gitDir: string): string | null {
  const file = join(gitDir, "HEAD");
  const text = isPlainFile(file) ? readFileSync(file, "utf8") : "";
  return HEADS.test(text) ? text : null;
}

/** None where it cannot be read: then our git cannot read it either. */
function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Settings, hooks and the like of a workspace and of its submodules, by their path. */
function recordOf(gitDir: string): Files {
  const found: Files = new Map();
  for (const home of ["", ...submodulesIn(gitDir, "modules")]) {
    const hooks = filesIn(gitDir, join(home, "hooks"));
    for (const name of [...FILES.map((file) => join(home, file)), ...hooks]) {
      const path = join(gitDir, name);
      const mode = lstatSync(path, { throwIfNoEntry: false })?.mode;
      if (mode !== undefined) found.set(name, { mode, content: contentOf(path) });
    }
  }
  return found;
}

/** What is no file, or cannot be read, is nothing that we have put there. */
function contentOf(path: string): Buffer {
  try {
    return isPlainFile(path) ? readFileSync(path) : Buffer.from("\0");
  } catch {
    return Buffer.from("\0");
  }
}

function putBack(gitDir: string, before: Files): void {
  const homes = new Set(submodulesOf(before));
  for (const [name, { content, mode }] of recordOf(gitDir)) {
    const due = before.get(name);
    const path = join(gitDir, name);
    if (due?.content.equals(content) && due.mode === mode) continue;
    rmSync(path, { recursive: true, force: true });
    // A submodule that was checked out since then needs settings to be one.
    const isNew = basename(name) === "config" && dirname(name) !== "." && !homes.has(dirname(name));
    if (isNew) writeAnew(path, harmless(content.toString("utf8")));
  }
  for (const [name, { content, mode }] of before) {
    const path = join(gitDir, name);
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue;
    writeAnew(path, content);
    chmodSync(path, mode);
  }
}

function writeAnew(path: string, content: string | Buffer): void {
  const folder = dirname(path);
  if (folderKind(folder) === "other") rmSync(folder, { force: true });
  mkdirSync(folder, { recursive: true });
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, content);
}

/** Lines by which git knows what a repository is and where it came from; none of them names a program. */
const HARMLESS = [
  /^\[(?:core|extensions|(?:remote|branch|submodule) "[^"\\]*")\]$/,
  /^\s*(?:repositoryformatversion|filemode|bare|worktree|logallrefupdates|ignorecase|precomposeunicode|symlinks) = [^\\"]*$/i,
  /^\s*(?:objectformat|refstorage|url|fetch|merge|remote|active) = [^\\"]*$/i,
];

/** Settings without whatever could name a program. */
export function harmless(config: string): string {
  const lines = config.split("\n").filter((line) => HARMLESS.some((one) => one.test(line)));
  return `${lines.join("\n")}\n`;
}

function submodulesOf(files: Files): string[] {
  return [...files.keys()].filter((name) => name.startsWith("modules/") && name.endsWith("/config")).map(dirname);
}

/** Git's folders of submodules, and of theirs. Their names may have slashes. */
function submodulesIn(gitDir: string, folder: string): string[] {
  return namesIn(join(gitDir, folder)).flatMap((name) => {
    const home = join(folder, name);
    // Whoever works there may have put a file where a submodule would be.
    if (folderKind(join(gitDir, home)) !== "folder") return [];
    if (lstatSync(join(gitDir, home, "objects"), { throwIfNoEntry: false }) === undefined)
      return submodulesIn(gitDir, home);
    return [home, ...submodulesIn(gitDir, join(home, "modules"))];
  });
}

function filesIn(gitDir: string, folder: string): string[] {
  return namesIn(join(gitDir, folder)).flatMap((name) => {
    const path = join(folder, name);
    return folderKind(join(gitDir, path)) === "folder" ? filesIn(gitDir, path) : [path];
  });
}

function namesIn(folder: string): string[] {
  // Never through a link, which may lead to files of the user's.
  return folderKind(folder) === "folder" ? readdirSync(folder) : [];
}
