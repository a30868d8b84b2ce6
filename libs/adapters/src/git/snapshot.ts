import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { lstat, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { indexDigest } from "./index-file.ts";
import { isOwnMove } from "./own-moves.ts";
import type { Place } from "./place.ts";
import { git, gitBytes, runGit } from "./run.ts";
import { worktreeTree } from "./trees.ts";

/** The state of a repository and its work tree, as plain data: a fingerprint for each thing in it. */
export type Snapshot = Record<string, string>;

/** Takes the fingerprint of everything that a read-only visitor must leave as it is. */
export async function snapshot(place: Place): Promise<Snapshot> {
  const [head, refs, index, files, ignored, settings] = await Promise.all([
    readFile(join(place.gitDir, "HEAD"), "utf8"),
    refsOf(place),
    indexDigest(place) ?? listedIndex(place),
    worktreeTree(place),
    ignoredFiles(place),
    gitSettings(place),
  ]);
  return Object.fromEntries([
    ["HEAD", head.trim()],
    ["index", index],
    // Tracked and untracked files by content, so that a rewrite of the same bytes is no change.
    [FILES, files],
    ...refs,
    ...ignored,
    ...settings,
  ]);
}

const FILES = "files";

/** Names what differs now from a snapshot and was not our own doing, sorted; nothing where all is the same. */
export async function differencesSince(place: Place, before: Snapshot): Promise<string[]> {
  const after = await snapshot(place);
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const differing = [...names].filter((name) => fingerprintOf(before, name) !== fingerprintOf(after, name));
  const strange = differing.filter((name) => !isOurs(place, name, fingerprintOf(after, name)));
  if (!strange.includes(FILES)) return strange.sort();
  const files = await changedBetween(place, before[FILES] ?? "", after[FILES] ?? "");
  return [...strange.filter((name) => name !== FILES), ...files].sort();
}

/** Other loops of this process commit on their own branches in the meantime. */
function isOurs(place: Place, name: string, after: string | undefined): boolean {
  if (!name.startsWith("ref ")) return false;
  return isOwnMove(place, name.slice("ref ".length), after?.split(" ")[1] ?? null);
}

function fingerprintOf(snapshot: Snapshot, name: string): string | undefined {
  return Object.hasOwn(snapshot, name) ? snapshot[name] : undefined;
}

async function listedIndex({ root }: Place): Promise<string> {
  return hash(await gitBytes({ cwd: root, args: ["ls-files", "--stage", "-v", "-z"] }));
}

type Entry = [name: string, fingerprint: string];

async function refsOf({ root }: Place): Promise<Entry[]> {
  const listed = await git({ cwd: root, args: ["for-each-ref", "--format=%(refname) %(objectname) %(symref)"] });
  return listed
    .split("\n")
    .filter(Boolean)
    .map((line): Entry => [`ref ${line.split(" ", 1)[0]}`, line]);
}

/** That files differ is known already; which ones is only for the reader. */
async function changedBetween({ root }: Place, before: string, after: string): Promise<string[]> {
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--end-of-options", before, after];
  const { code, stdout } = await runGit({ cwd: root, args });
  const paths = stdout.toString("utf8").split("\0").filter(Boolean);
  return code === 0 && paths.length > 0 ? paths.map((path) => `file ${path}`) : [FILES];
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
function gitSettings({ root, gitDir, commonDir }: Place): Entry[] {
  const places = new Set([
    ...SHARED_SETTINGS.map((name) => join(commonDir, name)),
    ...OWN_SETTINGS.map((name) => join(gitDir, name)),
  ]);
  const steering = [...places].flatMap((path) => contentsOf(path, commonDir));
  return [...steering, [".git pointer", pointerIn(root)]];
}

function pointerIn(root: string): string {
  try {
    return readFileSync(join(root, ".git"), "utf8");
  } catch {
    return "a folder";
  }
}

// At once: these are small files, and a thread for each of them would take many times longer.
function contentsOf(path: string, commonDir: string): Entry[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isDirectory()) {
    const kept = readdirSync(path).filter((name) => name !== "objects" && name !== "logs");
    return kept.flatMap((name) => contentsOf(join(path, name), commonDir));
  }
  const name = `.git/${relative(commonDir, path)}`;
  if (name.startsWith(".git/modules/") && !SUBMODULE_SETTING.test(name)) return [];
  // What is no file, such as a pipe, has no content, and to read it could take for ever.
  const content = found.isSymbolicLink() ? readlinkSync(path) : found.isFile() ? readFileSync(path) : "";
  return [[name, `${found.mode} ${hash(content)}`]];
}

function hash(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
