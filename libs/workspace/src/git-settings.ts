import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { runGit } from "@anneal/git/run/run";
import { folderKind, isPlainFile } from "@anneal/system/files/path-kinds";
import { headIn } from "@anneal/system/sandbox/keep-git";

/** What git goes by in a workspace: made of the user's own settings, and written anew whenever somebody else has worked there. */
export interface GitSettings {
  config: string;
  /** By name, from `hooks/` of the user's repository. */
  hooks: { folder: string; names: string[] };
  /** Rules of this machine alone. */
  info: { exclude: string | null; attributes: string | null };
}

/** Of the user's settings those that are about their own folder, or about what their repository is made of. */
const NOT_CARRIED =
  /^(?:core\.(?:repositoryformatversion|bare|worktree|sparsecheckout|sparsecheckoutcone|fsmonitor|untrackedcache|splitindex)|extensions\.(?!partialclone)|index\.|include\.|includeif\.|gc\.|maintenance\.)/;

/** Reads what a workspace of this repository goes by. `own` holds what its git made of itself. */
export async function settingsFor(
  source: { root: string; gitDir: string; commonDir: string },
  own: string,
): Promise<GitSettings> {
  const { root, gitDir, commonDir } = source;
  const entries: [string, string | null][] = [];
  for (const file of [join(commonDir, "config"), join(gitDir, "config.worktree")])
    entries.push(...(await entriesOf(root, file)));
  const carried = entries.filter(([key]) => !NOT_CARRIED.test(key));
  const lfs = carried.findLast(([key]) => key === "lfs.storage")?.[1] ?? "lfs";
  // What is stored for a commit has to be where the user's repository looks for it.
  carried.push(["lfs.storage", resolve(commonDir, lfs)], ["gc.auto", "0"], ["maintenance.auto", "false"]);
  return {
    config: own + carried.map(asText).join(""),
    hooks: { folder: join(commonDir, "hooks"), names: hooksIn(join(commonDir, "hooks")) },
    info: { exclude: textAt(join(commonDir, "info/exclude")), attributes: textAt(join(commonDir, "info/attributes")) },
  };
}

/** By file: what it said, and what came of it. */
const lately = new Map<string, { text: string; entries: [string, string | null][] }>();

async function entriesOf(root: string, file: string): Promise<[string, string | null][]> {
  const text = textAt(file);
  if (text === null) return [];
  const known = lately.get(file);
  // What is included may have changed by itself.
  if (known?.text === text && !/^\s*\[include/im.test(text)) return known.entries;
  const { stdout } = await runGit({ cwd: root, args: ["config", "--file", file, "--includes", "--null", "--list"] });
  const entries = entriesIn(stdout.toString("utf8"));
  lately.set(file, { text, entries });
  return entries;
}

function textAt(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

/** `key`, a newline and the value; a key alone is true. */
function entriesIn(listed: string): [string, string | null][] {
  return listed
    .split("\0")
    .filter(Boolean)
    .map((entry): [string, string | null] => {
      const at = entry.indexOf("\n");
      return at === -1 ? [entry, null] : [entry.slice(0, at), entry.slice(at + 1)];
    });
}

function asText([key, value]: [string, string | null]): string {
  const first = key.indexOf(".");
  const last = key.lastIndexOf(".");
  const section = key.slice(0, first);
  const sub = first === last ? "" : ` ${quoted(key.slice(first + 1, last))}`;
  return `[${section}${sub}]\n\t${key.slice(last + 1)}${value === null ? "" : ` = ${quoted(value)}`}\n`;
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n").replace(/\t/g, "\\t")}"`;
}

function hooksIn(folder: string): string[] {
  // Git passes over a link that leads nowhere, too.
  return namesIn(folder).filter((name) => !name.endsWith(".sample") && existsSync(join(folder, name)));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Files and folders in `.git` by which a folder could be led to another repository, or git to programs that nobody has named. */
const STRAY = ["commondir", "gitdir", "config.worktree", "info/sparse-checkout", "info/grafts", "shallow.lock"];

/** Puts git's settings of a workspace to what they are due to be; what an agent made of them is gone. */
export function writeSettings(gitDir: string, { config, hooks, info }: GitSettings): void {
  for (const name of STRAY) rmSync(join(gitDir, name), { recursive: true, force: true });
  copyAll(join(gitDir, "hooks"), hooks);
  if (folderKind(join(gitDir, "info")) === "other") rmSync(join(gitDir, "info"), { force: true });
  mkdirSync(join(gitDir, "info"), { recursive: true });
  const exclude = join(gitDir, "info/exclude");
  // What the set-up made is excluded there, too.
  if (!isPlainFile(exclude)) {
    rmSync(exclude, { recursive: true, force: true });
    writeFileSync(exclude, info.exclude ?? "");
  }
  rmSync(join(gitDir, "info/attributes"), { recursive: true, force: true });
  if (info.attributes !== null) writeFileSync(join(gitDir, "info/attributes"), info.attributes);
  const file = join(gitDir, "config");
  if (!isPlainFile(file)) rmSync(file, { recursive: true, force: true });
  else if (readFileSync(file, "utf8") === config) return;
  writeFileSync(file, config);
}

function copyAll(target: string, { folder, names }: GitSettings["hooks"]): void {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  for (const name of names) cpSync(join(folder, name), join(target, name), { recursive: true, dereference: true });
}

/** Without a HEAD that git can read there is no repository: it is on its branch again. */
export function mendHead(gitDir: string, branch: string | null): void {
  if (headIn(gitDir) !== null) return;
  const file = join(gitDir, "HEAD");
  rmSync(file, { recursive: true, force: true });
  writeFileSync(file, `ref: refs/heads/${branch ?? "anneal-none"}\n`);
}

/** Locks of gits that were killed together with whoever ran them. */
export function dropLocks(gitDir: string): void {
  for (const name of ["index.lock", "HEAD.lock", "config.lock", "packed-refs.lock"])
    rmSync(join(gitDir, name), { force: true });
  const refs = join(gitDir, "refs");
  for (const entry of existsSync(refs) ? readdirSync(refs, { recursive: true, withFileTypes: true }) : [])
    if (entry.name.endsWith(".lock")) rmSync(join(entry.parentPath, entry.name), { recursive: true, force: true });
}
