import type { ChangeBounds, ChangedFile, Region } from "@anneal/types";
import { textOf } from "./read/content/text-of.ts";
import { type GitBlobs, openBlobs } from "./read/diff/blobs.ts";
import type { Change } from "./read/diff/change.ts";
import { changedFiles, type DiffOptions, patchText } from "./read/diff/diff.ts";
import { type HistoricPart, historyLines } from "./read/diff/history-lines.ts";
import type { Moves } from "./read/diff/moves.ts";
import { type LimitedPatch, type PatchRequest, patchUpTo } from "./read/diff/patch-up-to.ts";
import { type Ref, refs } from "./read/refs/ref-list.ts";
import { branchName, commitsSince, defaultBranch, headCommit, mergeBase, resolveCommit } from "./read/refs/refs.ts";
import type { Worktree } from "./read/refs/worktree-list.ts";
import { contentAt } from "./read/tree/content-at.ts";
import { filesIn, holds, touches, tracks, untracked } from "./read/tree/listing.ts";
import type { Snapshot } from "./read/tree/snapshot.ts";
import { emptyTree, fileAt, sameTree, stagedTree, treeOf, worktreeTree } from "./read/tree/trees.ts";
import type { RepoLocation } from "./run/repo-location.ts";
import type { CommitObjectPlan } from "./write/commit/commit-object.ts";

/** What may be asked of a repository with a work tree; nothing in it changes. */
export interface RepoReader {
  /** The top of the work tree. */
  root: string;
  gitDir: string;
  /** The git directory that all work trees of the repository share. */
  commonDir: string;
  resolve(ref: string): Promise<string>;
  /** Null in a repository without commits. */
  headCommit(): Promise<string | null>;
  /** Null on a detached head. */
  branchName(): Promise<string | null>;
  /** All refs of a folder, such as `refs/heads/`. */
  refs(folder: string): Promise<Ref[]>;
  /** `besides`: branches that cannot be it, such as those that we made ourselves; asked for only where no usual one is there. */
  defaultBranch(besides?: () => readonly string[]): Promise<string>;
  mergeBase(a: string, b: string): Promise<string>;
  /** The commits of `head` that `base` does not have, oldest first; with `like`, only those on files that it changed since then, too. */
  commitsSince(base: string, head: string, like?: string): Promise<string[]>;
  /** The same with what they are made of, and with what each of them adds, file by file. */
  historyLines(base: string, head: string): AsyncIterable<HistoricPart>;
  /** The tree of a commit, or the tree itself. */
  treeOf(commitOrTree: string): Promise<string>;
  /** The text of a file in a commit, or null where there is none, or it is not text. */
  fileAt(commit: string, path: string): Promise<string | null>;
  /** The bytes of files in a commit, links followed within it; null where there is no file. */
  contentAt(commit: string, paths: readonly string[]): Promise<(Buffer | null)[]>;
  /** The folder where git looks for hooks, by the settings that they run with. */
  hooksFolder(): Promise<string>;
  /** Whether two commits or trees, given by id, hold the same files. */
  sameTree(a: string, b: string): Promise<boolean>;
  emptyTree(): Promise<string>;
  stagedTree(): Promise<string>;
  /** `since`: refuses with kind `beyond-reach` what was changed since that commit where no tree of this repository can hold it. */
  worktreeTree(options?: { since?: string }): Promise<string>;
  changedFiles(bounds: ChangeBounds, options?: DiffOptions): AsyncIterable<ChangedFile>;
  /** What differs between two commits or trees, in git's own text. */
  patch(bounds: Pick<ChangeBounds, "base" | "head">, options?: DiffOptions): Promise<string>;
  /** The same up to a size, and of some files only. */
  patchUpTo(bounds: Pick<ChangeBounds, "base" | "head">, request: PatchRequest): Promise<LimitedPatch>;
  blobs(): GitBlobs;
  change(bounds: ChangeBounds, options?: DiffOptions): Change & { close(): void };
  /** Files and folders (with a slash at the end) that are neither tracked nor ignored. */
  untracked(): Promise<string[]>;
  tracks(path: string): Promise<boolean>;
  /** Whether a path comes from the repository, by the index or the last commit: itself, or a link or submodule on the way to it. */
  holds(path: string): Promise<boolean>;
  /** Whether a path, or a link or submodule on the way to it, is another one in two commits or trees. */
  touches(bounds: Pick<ChangeBounds, "base" | "head">, path: string | readonly string[]): Promise<boolean>;
  status(): Promise<"clean" | "changed">;
  /** Who commits here; kind `no-identity` where git does not know. */
  author(): Promise<CommitObjectPlan["author"]>;
  /** Null where there is no such remote. */
  remoteUrl(remote: string): Promise<string | null>;
  /** Asks the remote itself; null where it has no such branch. */
  remoteHead(remote: string, branch: string, options?: { signal?: AbortSignal }): Promise<string | null>;
  /** Whether the workspace is on the branch that it was asked for, and that at this commit. */
  isAt(commit: string): Promise<boolean>;
  touchedRegions(from: string, to: string): Promise<Region[]>;
  /** What became of the lines of the wanted files, and of the names of all. */
  moves(from: string, to: string, isWanted: (file: string, oldFile: string) => boolean): Promise<Moves>;
  listWorktrees(): Promise<Worktree[]>;
  /** The fingerprint of everything that whoever only reads must leave as it is. */
  snapshot(): Promise<Snapshot>;
  /** What differs now from an earlier snapshot; empty where nothing does. */
  sameAs(before: Snapshot): Promise<string[]>;
}

export function readerAt(location: RepoLocation): RepoReader {
  return {
    root: location.root,
    gitDir: location.gitDir,
    commonDir: location.commonDir,
    resolve: (ref) => resolveCommit(location, ref),
    headCommit: () => headCommit(location),
    branchName: () => branchName(location),
    refs: (folder) => refs(location, folder),
    defaultBranch: (besides) => defaultBranch(location, besides),
    mergeBase: (a, b) => mergeBase(location, a, b),
    commitsSince: (base, head, like) => commitsSince(location, base, head, like),
    historyLines: (base, head) => historyLines(location, base, head),
    treeOf: (commitOrTree) => treeOf(location, commitOrTree),
    fileAt: (commit, path) => fileAt(location, commit, path),
    contentAt: (commit, paths) => contentAt(location, commit, paths),
    hooksFolder: async () => (await changing()).hooksFolder(location),
    sameTree: (a, b) => sameTree(location, a, b),
    emptyTree: () => emptyTree(location),
    stagedTree: () => stagedTree(location),
    worktreeTree: (options) => worktreeTree(location, options),
    changedFiles: (bounds, options) => changedFiles(location, bounds, options),
    patch: (bounds, options) => patchText(location, bounds, options),
    patchUpTo: (bounds, request) => patchUpTo(location, bounds, request),
    blobs: () => openBlobs(location.root),
    change: (bounds, options) => openChange(location, bounds, options),
    untracked: () => untracked(location),
    tracks: (path) => tracks(location, path),
    holds: (path) => holds(location, path),
    touches: (bounds, path) => touches(location, bounds, path),
    status: async () => (await changing()).status(location),
    author: async () => (await changing()).usualAuthor(location),
    remoteUrl: async (remote) => (await changing()).remoteUrl(location, remote),
    remoteHead: async (remote, branch, options) => (await changing()).remoteHead(location, remote, branch, options),
    isAt: async (commit) => (await changing()).isAt(location, commit),
    touchedRegions: async (from, to) => (await changing()).touchedRegions(location, from, to),
    moves: async (from, to, isWanted) => (await changing()).moves(location, from, to, isWanted),
    listWorktrees: async () => (await changing()).listWorktrees(location),
    snapshot: async () => (await changing()).snapshot(location),
    sameAs: async (before) => (await changing()).differencesSince(location, before),
  };
}

function openChange(location: RepoLocation, bounds: ChangeBounds, options?: DiffOptions): Change & { close(): void } {
  const blobs = openBlobs(location.root);
  return {
    bounds,
    files: () => changedFiles(location, bounds, options),
    content: async (blob) => {
      const bytes = await blobs.bytes(blob);
      return bytes === null ? null : (textOf(bytes)?.text ?? null);
    },
    whole: { root: location.root, files: () => filesIn(location, bounds.head) },
    close: () => blobs.close(),
  };
}

const changing = () => import("./changing.ts");
