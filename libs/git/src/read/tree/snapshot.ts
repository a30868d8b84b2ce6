import { existsSync } from "node:fs";
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { GitError } from "../../run/errors.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { git, gitBytes, runGit } from "../../run/run.ts";
import { refsOnDisk } from "../refs/ref-list.ts";
import { type FilesOnDisk, FOLDER, filesOnDisk } from "./files-on-disk.ts";
import { indexDigest } from "./index-file.ts";
import { type FileFingerprint, gitSettings, hash } from "./steering.ts";
import { worktreeTree } from "./trees.ts";
import { stagedOnDisk } from "./untouched.ts";

/** The state of a repository and its work tree, as plain data: a fingerprint for each thing in it. */
export type Snapshot = Record<string, string>;

/** Takes the fingerprint of everything that a read-only visitor must leave as it is. */
export async function snapshot(location: RepoLocation): Promise<Snapshot> {
  const onDisk = filesOnDisk(location.root);
  const [state, files] = await Promise.all([stateOf(location), filesOf(location, onDisk)]);
  return Object.fromEntries([...onDisk.folders, ...state, ...files]);
}

async function stateOf(location: RepoLocation): Promise<FileFingerprint[]> {
  const [head, refs, index, settings] = await Promise.all([
    readFile(join(location.gitDir, "HEAD"), "utf8"),
    refsOf(location),
    indexDigest(location) ?? listedIndex(location),
    gitSettings(location),
  ]);
  return [
    ["HEAD", head.trim()],
    ["index", index],
    ["objects", isThere(join(location.commonDir, "objects"))],
    ...refs,
    ...settings,
  ];
}

/** Where nothing else has changed, no git is started that would notice. */
function isThere(folder: string): string {
  return existsSync(folder) ? "there" : "gone";
}

const FILES = "files";
const IGNORED = "ignored ";

/** Tracked and untracked files by content, so that a rewrite of the same bytes is no change. */
async function filesOf(location: RepoLocation, onDisk: FilesOnDisk): Promise<FileFingerprint[]> {
  const staged = stagedOnDisk(location, onDisk.files);
  if (staged !== null) return [[FILES, staged]];
  const [files, ignored] = await Promise.all([treeOrRefusal(location), ignoredFiles(location)]);
  return [[FILES, files], ...ignored];
}

/** A repository in the place of files is a difference by itself. */
async function treeOrRefusal(location: RepoLocation): Promise<string> {
  return await worktreeTree(location).catch((error: unknown) => {
    if (error instanceof GitError && error.kind === "beyond-reach") return error.message;
    throw error;
  });
}

/** Names what differs now from a snapshot, sorted; nothing where all is the same. */
export async function differencesSince(location: RepoLocation, before: Snapshot): Promise<string[]> {
  // Git is not even started where somebody may have led it elsewhere, to settings and programs of their own.
  const steered = differing(steering(before), Object.fromEntries(gitSettings(location)));
  if (steered.length > 0) return steered;
  const after = await snapshot(location);
  const strange = differing(before, after);
  // What git knows of says more than the folder that it lies in.
  const outside = strange.filter((name) => !name.startsWith(FOLDER));
  if (outside.length === 0) return strange;
  if (!outside.includes(FILES)) return outside;
  const files = await changedBetween(location, before[FILES] ?? "", after[FILES] ?? "");
  return [...outside.filter((name) => name !== FILES), ...files].sort();
}

/** The names of what is not the same in two snapshots, sorted. */
function differing(before: Snapshot, after: Snapshot): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => fingerprintOf(before, name) !== fingerprintOf(after, name)).sort();
}

/** What is reported of git's own files: it can be compared without starting a git. */
function steering(snapshot: Snapshot): Snapshot {
  return Object.fromEntries(Object.entries(snapshot).filter(([name]) => /^\.git[/ ]/.test(name)));
}

function fingerprintOf(snapshot: Snapshot, name: string): string | undefined {
  return Object.hasOwn(snapshot, name) ? snapshot[name] : undefined;
}

async function listedIndex({ root }: RepoLocation): Promise<string> {
  return hash(await gitBytes({ cwd: root, args: ["ls-files", "--stage", "-v", "-z"] }));
}

async function refsOf(location: RepoLocation): Promise<FileFingerprint[]> {
  const onDisk = refsOnDisk(location);
  if (onDisk !== null) return [...onDisk].map(([name, target]): FileFingerprint => [`ref ${name}`, target]);
  const format = "--format=%(refname) %(objectname) %(symref)";
  const listed = await git({ cwd: location.root, args: ["for-each-ref", format] });
  return listed
    .split("\n")
    .filter(Boolean)
    .map((line): FileFingerprint => [`ref ${line.split(" ", 1)[0]}`, line]);
}

/** That files differ is known already; which ones is only for the reader. */
async function changedBetween({ root }: RepoLocation, before: string, after: string): Promise<string[]> {
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--end-of-options", before, after];
  const { code, stdout } = await runGit({ cwd: root, args });
  const paths = stdout.toString("utf8").split("\0").filter(Boolean);
  return code === 0 && paths.length > 0 ? paths.map((path) => `file ${path}`) : [FILES];
}

async function ignoredFiles({ root }: RepoLocation): Promise<FileFingerprint[]> {
  const args = ["ls-files", "--others", "--ignored", "--exclude-standard", "-z"];
  const own = (await git({ cwd: root, args })).split("\0").filter(Boolean);
  return Promise.all(
    own.map(async (path): Promise<FileFingerprint> => {
      const found = await lstat(join(root, path), { bigint: true }).catch(() => null);
      return [`${IGNORED}${path}`, found === null ? "gone" : `${found.size} ${found.mtimeNs} ${found.mode}`];
    }),
  );
}
