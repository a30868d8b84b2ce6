import { createHash } from "node:crypto";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { isOwnMove } from "./own-moves.ts";
import type { Place } from "./place.ts";
import { git } from "./run.ts";
import { worktreeTree } from "./trees.ts";

/** The state of a repository and its work tree, as plain data: a fingerprint for each thing in it. */
export type Snapshot = Record<string, string>;

/** Takes the fingerprint of everything that a read-only visitor must leave as it is. */
export async function snapshot(place: Place): Promise<Snapshot> {
  const [head, refs, index, files, ignored, settings] = await Promise.all([
    readFile(join(place.gitDir, "HEAD"), "utf8"),
    refsOf(place),
    git({ cwd: place.root, args: ["ls-files", "--stage", "-v", "-z"] }),
    filesOf(place),
    ignoredFiles(place),
    gitSettings(place),
  ]);
  return Object.fromEntries([
    ["HEAD", head.trim()],
    ["index", hash(index)],
    ...refs,
    ...files,
    ...ignored,
    ...settings,
  ]);
}

/** Names what differs between two snapshots and was not our own doing, sorted; nothing where they are the same. */
export function strangeDifferences(place: Place, before: Snapshot, after: Snapshot): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const differing = [...names].filter((name) => fingerprintOf(before, name) !== fingerprintOf(after, name));
  return differing.filter((name) => !isOurs(place, name, fingerprintOf(after, name))).sort();
}

/** Other loops of this process commit on their own branches in the meantime. */
function isOurs(place: Place, name: string, after: string | undefined): boolean {
  if (!name.startsWith("ref ")) return false;
  return isOwnMove(place, name.slice("ref ".length), after?.split(" ")[1] ?? null);
}

function fingerprintOf(snapshot: Snapshot, name: string): string | undefined {
  return Object.hasOwn(snapshot, name) ? snapshot[name] : undefined;
}

type Entry = [name: string, fingerprint: string];

async function refsOf({ root }: Place): Promise<Entry[]> {
  const listed = await git({ cwd: root, args: ["for-each-ref", "--format=%(refname) %(objectname) %(symref)"] });
  return listed
    .split("\n")
    .filter(Boolean)
    .map((line): Entry => [`ref ${line.split(" ", 1)[0]}`, line]);
}

/** Tracked and untracked files by content, so that a rewrite of the same bytes is no change. */
async function filesOf(place: Place): Promise<Entry[]> {
  const tree = await worktreeTree(place);
  const listed = await git({ cwd: place.root, args: ["ls-tree", "-r", "-z", "--full-tree", tree] });
  return listed.split("\0").filter(Boolean).map(fileEntry);
}

function fileEntry(line: string): Entry {
  const tab = line.indexOf("\t");
  return [`file ${line.slice(tab + 1)}`, line.slice(0, tab)];
}

async function ignoredFiles({ root }: Place): Promise<Entry[]> {
  const args = ["ls-files", "--others", "--ignored", "--exclude-standard", "-z"];
  const listed = (await git({ cwd: root, args })).split("\0").filter(Boolean);
  // The worktrees of other loops lie inside the main tree, and have snapshots of their own.
  const own = listed.filter((path) => !path.startsWith(".worktrees/"));
  return Promise.all(
    own.map(async (path): Promise<Entry> => {
      const found = await lstat(join(root, path), { bigint: true }).catch(() => null);
      return [`ignored ${path}`, found === null ? "gone" : `${found.size} ${found.mtimeNs} ${found.mode}`];
    }),
  );
}

const SHARED_SETTINGS = ["config", "hooks", "info", "objects/info/alternates", "shallow", "modules"];
const OWN_SETTINGS = ["config.worktree", "info", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"];

/** A submodule's own refs and index move with honest work; what can start programs must not. */
const SUBMODULE_SETTING = /\/(config|hooks\/.*)$/;

/** What steers git itself: settings, hooks, exclusions, attributes, and the pointer of a linked work tree. */
async function gitSettings({ root, gitDir, commonDir }: Place): Promise<Entry[]> {
  const places = new Set([
    ...SHARED_SETTINGS.map((name) => join(commonDir, name)),
    ...OWN_SETTINGS.map((name) => join(gitDir, name)),
  ]);
  const entries = await Promise.all([...places].map((path) => contentsOf(path, commonDir)));
  const pointer = await readFile(join(root, ".git"), "utf8").catch(() => "a folder");
  const steering = entries.flat().filter(([name]) => !name.startsWith(".git/modules/") || SUBMODULE_SETTING.test(name));
  return [...steering, [".git pointer", pointer]];
}

async function contentsOf(path: string, commonDir: string): Promise<Entry[]> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return [];
  if (found.isDirectory()) {
    const names = await readdir(path);
    const kept = names.filter((name) => name !== "objects" && name !== "logs");
    return (await Promise.all(kept.map((name) => contentsOf(join(path, name), commonDir)))).flat();
  }
  const content = found.isSymbolicLink() ? await readlink(path) : await readFile(path);
  return [[`.git/${relative(commonDir, path)}`, `${found.mode} ${hash(content)}`]];
}

function hash(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
