import { realpathSync } from "node:fs";
import { resolve as absolute, join } from "node:path";
import { type Clock, systemClock } from "@anneal/system/clock";
import type { ChangeBounds, ChangedFile, MergePlan, Region } from "@anneal/types";
import { type GitBlobs, openBlobs } from "./read/diff/blobs.ts";
import type { Change } from "./read/diff/change.ts";
import { changedFiles, type DiffOptions, patchText } from "./read/diff/diff.ts";
import { type HistoricLines, historyLines } from "./read/diff/history-lines.ts";
import type { Moves } from "./read/diff/moves.ts";
import { type LimitedPatch, type PatchRequest, patchUpTo } from "./read/diff/patch-up-to.ts";
import { type Ref, refs } from "./read/refs/ref-list.ts";
import {
  branchName,
  commitsSince,
  defaultBranch,
  type HistoricCommit,
  headCommit,
  historySince,
  mergeBase,
  resolveCommit,
} from "./read/refs/refs.ts";
import type { Worktree } from "./read/refs/worktree-list.ts";
import { contentAt } from "./read/tree/content-at.ts";
import { filesIn, holds, touches, tracks, untracked } from "./read/tree/listing.ts";
import type { Snapshot } from "./read/tree/snapshot.ts";
import { emptyTree, fileAt, sameTree, stagedTree, treeOf, worktreeTree } from "./read/tree/trees.ts";
import type { FetchCommitRequest, FetchRequest } from "./remote/fetch.ts";
import type { PushRequest } from "./remote/push.ts";
import { findRepository } from "./run/find-repository.ts";
import type { RepoLocation } from "./run/repo-location.ts";
import type { BranchMove } from "./write/branch/follow-branch.ts";
import type { BranchPlacing } from "./write/branch/put-branch.ts";
import type { Recorded } from "./write/checkout/recorded.ts";
import type { ResetOptions } from "./write/checkout/reset.ts";
import type { CommitOptions, CommitResult } from "./write/commit/commit.ts";
import type { CommitObjectPlan, CommitRequest } from "./write/commit/commit-object.ts";
import type { Joined, JoinRequest } from "./write/commit/join-commits.ts";
import type { MergeRequest, PlannedMerge } from "./write/commit/merge.ts";
import type { PreparedCommit } from "./write/commit/planned-commit.ts";
import type { PathFrom } from "./write/commit/tree-with.ts";

/** A repository with a work tree: all that the rest of the product may ask of git. */
export interface Repo {
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
  /** `besides`: branches that cannot be it, such as those that we made ourselves. */
  defaultBranch(besides?: readonly string[]): Promise<string>;
  mergeBase(a: string, b: string): Promise<string>;
  /** The commits of `head` that `base` does not have, oldest first; with `like`, only those on files that it changed since then, too. */
  commitsSince(base: string, head: string, like?: string): Promise<string[]>;
  /** The same with what they are made of, and with what each of them adds, file by file. */
  historySince(base: string, head: string): Promise<HistoricCommit[]>;
  historyLines(base: string, head: string): AsyncIterable<HistoricLines>;

  /** The tree of a commit, or the tree itself. */
  treeOf(commitOrTree: string): Promise<string>;
  /** The text of a file in a commit, or null where there is none, or none that is text. */
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
  /** A commit of a tree on top of the head, on no branch. */
  treeAsCommit(tree: string): Promise<string>;
  /** A tree with one path as it is in another tree or commit. */
  treeWith(tree: string, other: PathFrom): Promise<string>;
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
  switchToNew(branch: string): Promise<void>;
  status(): Promise<"clean" | "changed">;
  commitAll(message: string, options?: CommitOptions): Promise<CommitResult>;
  /** Who commits here; kind `no-identity` where git does not know. */
  author(): Promise<CommitObjectPlan["author"]>;
  /** Stages everything and runs the hooks; what it gives is plain data, to be recorded before it is carried out. */
  prepareCommit(request: CommitRequest): Promise<PreparedCommit>;
  /** The same commit however often it is called. Throws kind `moved` where the branch is somewhere else. */
  carryOut(plan: CommitObjectPlan): Promise<{ commit: string }>;
  /** Moves a branch forward, with index and files where it is checked out. Kinds `moved` and `in-the-way` leave all as it was. */
  moveBranch(move: BranchMove): Promise<void>;
  /** Puts files back that a killed `moveBranch` had moved already, where the branch itself is not moved any more. */
  undoMove(branch: string): Promise<void>;
  /** Makes a branch, or puts one elsewhere that no work tree has checked out. Throws kind `moved` where it stands elsewhere. */
  placeBranch(placing: BranchPlacing): Promise<void>;
  /** Needs no work tree; the plan is plain data, to be recorded before it is carried out. */
  mergePlan(request: MergeRequest): Promise<PlannedMerge>;
  /** The same merge however often it is called. Throws as `moveBranch` does. */
  carryOutMerge(plan: MergePlan): Promise<{ commit: string }>;
  /** The tree that two commits are merged to, or the files that a person has to merge; nothing moves. */
  mergeTrees(ours: string, theirs: string): Promise<string | { conflicts: string[] }>;
  /** A commit that holds all of these; no ref moves. */
  joinCommits(request: JoinRequest): Promise<Joined>;
  /** One branch to one remote. Kind `moved` where the remote's branch is not where it should be. */
  push(request: PushRequest): Promise<{ commit: string }>;
  /** Null where there is no such remote. */
  remoteUrl(remote: string): Promise<string | null>;
  /** Asks the remote itself; null where it has no such branch. */
  remoteHead(remote: string, branch: string, options?: { signal?: AbortSignal }): Promise<string | null>;
  /** One branch of one remote, into its remote-tracking ref and no other. Kind `unknown-ref` where the remote has no such branch. */
  fetchBranch(request: FetchRequest): Promise<{ commit: string }>;
  /** One commit and its history, by its id; no ref moves. Kind `unknown-ref` where the remote does not give it out. */
  fetchCommit(request: FetchCommitRequest): Promise<void>;
  /** Whether the workspace is on the branch that it was asked for, and that at this commit. */
  isAt(commit: string): Promise<boolean>;
  /** Hard, untracked files included, ignored files only if asked. A commit moves the workspace's own branch; a tree does not. */
  resetTo(treeOrCommit: string, options?: ResetOptions): Promise<void>;
  /** Puts head, index and files back to what is recorded. */
  restore(recorded: Recorded): Promise<void>;
  /** Leaves head and files as they are where they are what is recorded, and restores them where not; the index may differ. */
  ensure(recorded: Recorded): Promise<void>;
  /** Under refs/anneal/, safe from garbage collection. */
  keepTree(ref: string, tree: string): Promise<void>;
  touchedRegions(from: string, to: string): Promise<Region[]>;
  /** What became of the lines of the wanted files, and of the names of all. */
  moves(from: string, to: string, isWanted: (file: string, oldFile: string) => boolean): Promise<Moves>;

  listWorktrees(): Promise<Worktree[]>;
  /** Hides paths from git on this machine; patterns are those of .gitignore. */
  exclude(patterns: string[]): Promise<void>;
  /** Hides exactly these paths, from the top of the work tree. */
  excludePaths(paths: string[]): Promise<void>;
  /** Runs one change of refs or work trees at a time in this repository. */
  serialised<T>(work: () => Promise<T>): Promise<T>;

  /** The fingerprint of everything that whoever only reads must leave as it is. */
  snapshot(): Promise<Snapshot>;
  /** What differs now from an earlier snapshot; empty where nothing does. */
  sameAs(before: Snapshot): Promise<string[]>;
}

/** Opens the repository that a folder belongs to. */
export async function openRepo(dir: string, { clock = systemClock }: { clock?: Clock } = {}): Promise<Repo> {
  return repoAt({ ...(await findRepository(absolute(dir), "here-or-above")), clock });
}

/** A work tree of ours that is a repository by itself, and on no branch but that one. */
export function openOwn(path: string, branch: string | null): Repo {
  const root = realpathSync(path);
  const gitDir = join(root, ".git");
  return repoAt({ root, gitDir, commonDir: gitDir, clock: systemClock, own: { branch } });
}

function repoAt(place: RepoLocation): Repo {
  return {
    root: place.root,
    gitDir: place.gitDir,
    commonDir: place.commonDir,
    resolve: (ref) => resolveCommit(place, ref),
    headCommit: () => headCommit(place),
    branchName: () => branchName(place),
    refs: (folder) => refs(place, folder),
    defaultBranch: (besides) => defaultBranch(place, besides),
    mergeBase: (a, b) => mergeBase(place, a, b),
    commitsSince: (base, head, like) => commitsSince(place, base, head, like),
    historySince: (base, head) => historySince(place, base, head),
    historyLines: (base, head) => historyLines(place, base, head),
    treeOf: (commitOrTree) => treeOf(place, commitOrTree),
    fileAt: (commit, path) => fileAt(place, commit, path),
    contentAt: (commit, paths) => contentAt(place, commit, paths),
    hooksFolder: async () => (await changing()).hooksFolder(place),
    sameTree: (a, b) => sameTree(place, a, b),
    emptyTree: () => emptyTree(place),
    stagedTree: () => stagedTree(place),
    worktreeTree: (options) => worktreeTree(place, options),
    treeAsCommit: async (tree) => (await changing()).treeAsCommit(place, tree, await headCommit(place)),
    treeWith: async (tree, other) => (await changing()).treeWith(place, tree, other),
    changedFiles: (bounds, options) => changedFiles(place, bounds, options),
    patch: (bounds, options) => patchText(place, bounds, options),
    patchUpTo: (bounds, request) => patchUpTo(place, bounds, request),
    blobs: () => openBlobs(place.root),
    change: (bounds, options) => openChange(place, bounds, options),
    untracked: () => untracked(place),
    tracks: (path) => tracks(place, path),
    holds: (path) => holds(place, path),
    touches: (bounds, path) => touches(place, bounds, path),
    switchToNew: async (branch) => (await changing()).switchToNew(place, branch),
    status: async () => (await changing()).status(place),
    commitAll: async (message, options) => (await changing()).commitAll(place, message, options),
    author: async () => (await changing()).usualAuthor(place),
    prepareCommit: async (request) => (await changing()).prepareCommit(place, request),
    carryOut: async (plan) => (await changing()).carryOut(place, plan),
    moveBranch: async (move) => (await changing()).moveBranch(place, move),
    undoMove: async (branch) => (await changing()).undoMove(place, branch),
    placeBranch: async (placing) => (await changing()).placeBranch(place, placing),
    mergePlan: async (request) => (await changing()).mergePlan(place, request),
    carryOutMerge: async (plan) => (await changing()).carryOutMerge(place, plan),
    mergeTrees: async (ours, theirs) => (await changing()).mergeTrees(place, ours, theirs),
    joinCommits: async (request) => (await changing()).joinCommits(place, request),
    push: async (request) => (await changing()).push(place, request),
    remoteUrl: async (remote) => (await changing()).remoteUrl(place, remote),
    remoteHead: async (remote, branch, options) => (await changing()).remoteHead(place, remote, branch, options),
    fetchBranch: async (request) => (await changing()).fetchBranch(place, request),
    fetchCommit: async (request) => (await changing()).fetchCommit(place, request),
    isAt: async (commit) => (await changing()).isAt(place, commit),
    resetTo: async (target, options) => (await changing()).resetTo(place, target, options),
    restore: async (recorded) => (await changing()).restore(place, recorded),
    ensure: async (recorded) => (await changing()).ensure(place, recorded),
    keepTree: async (ref, tree) => (await changing()).keepTree(place, ref, tree),
    touchedRegions: async (from, to) => (await changing()).touchedRegions(place, from, to),
    moves: async (from, to, isWanted) => (await changing()).moves(place, from, to, isWanted),
    listWorktrees: async () => (await changing()).listWorktrees(place),
    exclude: async (patterns) => (await changing()).exclude(place, patterns),
    excludePaths: async (paths) => {
      const { exactPattern, exclude } = await changing();
      await exclude(place, paths.map(exactPattern));
    },
    serialised: async (work) => (await changing()).serialised(place.commonDir, work),
    snapshot: async () => (await changing()).snapshot(place),
    sameAs: async (before) => (await changing()).differencesSince(place, before),
  };
}

const changing = () => import("./changing.ts");

function openChange(place: RepoLocation, bounds: ChangeBounds, options?: DiffOptions): Change & { close(): void } {
  const blobs = openBlobs(place.root);
  return {
    bounds,
    files: () => changedFiles(place, bounds, options),
    content: (blob) => blobs.read(blob),
    whole: { root: place.root, files: () => filesIn(place, bounds.head) },
    close: () => blobs.close(),
  };
}
