import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { temporaryPathFor } from "@anneal/system/files/atomic";
import { ABSENT, type RawEntry, readRaw } from "../../read/diff/raw.ts";
import { refuseMerge, refuseUnmerged } from "../../read/tree/trees.ts";
import { tryChange } from "../../run/locks.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { git, gitBytes, runGit } from "../../run/run.ts";
import { obstacles, onDisk } from "./obstacles.ts";

/** The way of a work tree from one commit's files to another's. */
export interface Way {
  from: string;
  to: string;
  /** `begun`: a process of ours was killed on this very way, so what is half-way to the target is our own doing. */
  start: "fresh" | "begun";
}

export interface FollowCheck {
  /** Tracked files with uncommitted changes, and untracked ones, that the way leads over. */
  changed: string[];
  strangers: string[];
  /** Paths that hold the target's content on the disk already; the index has to learn that. */
  settled: RawEntry[];
  /** All that the index does not have at the target yet. */
  coming: RawEntry[];
  /** Files whose writing was broken off. */
  torn: string[];
}

/** Looks at everything in a work tree that would get in the way, and changes nothing but the index's own notes on files. */
export async function checkWay(tree: RepoLocation, way: Way): Promise<FollowCheck> {
  await refuseUnmerged(tree);
  await refuseMerge(tree);
  // Without fresh notes a file that was only touched looks changed. Forced to write, git also meets a lock that a killed one left,
  // which has to go now: while our own git holds the branch, no stale lock can be recognised.
  await tryChange(tree, { args: ["update-index", "--force-write-index", "--refresh"] });
  const touched = await rawDiff(tree, ["diff-tree", "-r", "--ignore-submodules=none"], [way.from, way.to]);
  const byPath = new Map(touched.map((entry) => [entry.path, entry]));
  const staged = await rawDiff(tree, ["diff-index", "--cached", "--ignore-submodules=none"], [way.from]);
  const arrived = new Set(staged.filter((entry) => isSame(entry, byPath.get(entry.path))).map(({ path }) => path));
  const changed = staged.map(({ path }) => path).filter((path) => byPath.has(path) && !arrived.has(path));

  // What the index has at the target already, git leaves alone on the disk.
  const coming = touched.filter(({ path }) => !arrived.has(path));
  const unstaged = await rawDiff(tree, ["diff-files", "--ignore-submodules=all"], []);
  const leaving = new Set(coming.filter(({ newMode }) => newMode === ABSENT).map(({ path }) => path));
  const arriving = coming.filter(({ oldMode }) => oldMode === ABSENT);
  const { occupied, strangers } = await obstacles(tree.root, arriving, leaving);

  const doubtful = new Set([...unstaged.map(({ path }) => path), ...occupied]);
  const doubts = coming.filter(({ path }) => doubtful.has(path) && !changed.includes(path));
  const unlike = new Set(await unlikeTarget(tree, doubts));
  const check: FollowCheck = { changed, strangers, coming, settled: [], torn: [] };
  for (const entry of doubts) {
    if (!unlike.has(entry.path)) check.settled.push(entry);
    else if (way.start === "fresh") blame(check, entry);
    else await excuse(tree, way, check, entry);
  }
  return check;
}

/** What the index has at the end of a way already, as it differs from the start. */
export async function stagedOn(tree: RepoLocation, { from, to }: Pick<Way, "from" | "to">): Promise<RawEntry[]> {
  const touched = await rawDiff(tree, ["diff-tree", "-r", "--ignore-submodules=none"], [from, to]);
  const byPath = new Map(touched.map((entry) => [entry.path, entry]));
  const staged = await rawDiff(tree, ["diff-index", "--cached", "--ignore-submodules=none"], [from]);
  return staged.filter((entry) => isSame(entry, byPath.get(entry.path)));
}

function blame(check: FollowCheck, { path, oldMode }: RawEntry): void {
  (oldMode === ABSENT ? check.strangers : check.changed).push(path);
}

/** After a kill a file may be missing, or be a beginning of what it was to become; anything else is somebody's edit. */
async function excuse(tree: RepoLocation, { to }: Way, check: FollowCheck, entry: RawEntry): Promise<void> {
  const path = join(tree.root, entry.path);
  const found = await onDisk(path);
  if (found === "missing") return;
  const whole = entry.newMode === ABSENT ? null : await written(tree, `${to}:${entry.path}`);
  const there = found === "file" && whole !== null ? await readFile(path) : null;
  if (there !== null && whole?.subarray(0, there.length).equals(there)) check.torn.push(entry.path);
  else blame(check, entry);
}

/** The bytes that git would write, after line ends and filters. */
function written({ root }: RepoLocation, name: string): Promise<Buffer> {
  return gitBytes({ cwd: root, args: ["cat-file", "--filters", name] });
}

/** Which of these paths do not hold on the disk what the target has there. */
async function unlikeTarget(tree: RepoLocation, doubts: RawEntry[]): Promise<string[]> {
  const unlike: string[] = [];
  for (const { path, newMode } of doubts) {
    if (newMode === ABSENT && (await onDisk(join(tree.root, path))) === "file") unlike.push(path);
  }
  const there = doubts.filter(({ newMode }) => newMode !== ABSENT);
  if (there.length === 0) return unlike;
  const folder = temporaryPathFor(join(tree.gitDir, "anneal-index"));
  await mkdir(folder);
  const env = { GIT_INDEX_FILE: join(folder, "index") };
  try {
    await git({ cwd: tree.root, ...telling(there), env });
    await runGit({ cwd: tree.root, args: ["update-index", "-q", "--refresh"], env });
    const differing = await rawDiff(tree, ["diff-files", "--ignore-submodules=all"], [], env);
    return [...unlike, ...differing.map(({ path }) => path)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Puts the target's entries into an index. What goes comes first, since it may make room for a folder of its name. */
export function telling(entries: RawEntry[]): { args: string[]; input: string } {
  const going = entries.filter(({ newMode }) => newMode === ABSENT);
  const staying = entries.filter(({ newMode }) => newMode !== ABSENT);
  const lines = [...going, ...staying].map(({ newMode, newBlob, path }) => `${newMode} ${newBlob}\t${path}\0`);
  return { args: ["update-index", "-z", "--index-info"], input: lines.join("") };
}

function isSame(a: RawEntry, b: RawEntry | undefined): boolean {
  return b !== undefined && a.newMode === b.newMode && a.newBlob === b.newBlob;
}

async function rawDiff({ root }: RepoLocation, what: string[], ends: string[], env: Record<string, string> = {}) {
  const [command = "", ...options] = what;
  const args = [command, "--raw", "-z", "--no-abbrev", "--no-renames", "--no-relative", ...options, ...ends];
  return readRaw(await gitBytes({ cwd: root, args, env }));
}
