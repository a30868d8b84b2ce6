import { existsSync } from "node:fs";
import { resolve as absolute, join } from "node:path";
import type { ChangeBounds, ChangedFile, MergePlan, Region } from "@anneal/types";
import { systemClock } from "../clock.ts";
import type { Change, Clock } from "../ports.ts";
import { commonAbove, SETTINGS_NOTES } from "../sandbox/git-folders.ts";

import { type Blobs, openBlobs } from "./blobs.ts";
import type { CommitOptions, CommitResult } from "./commit.ts";
import type { CommitPlan, CommitRequest } from "./commit-object.ts";
import { changedFiles, type DiffOptions, patchText } from "./diff.ts";
import type { FetchCommitRequest, FetchRequest } from "./fetch.ts";
import { findRepository } from "./find-repository.ts";
import type { BranchMove } from "./follow-branch.ts";
import { type HistoricLines, historyLines } from "./history-lines.ts";
import type { Joined, JoinRequest } from "./join-commits.ts";
import { filesIn, holds, touches, tracks, untracked } from "./listing.ts";
import type { MergeRequest, PlannedMerge } from "./merge.ts";
import type { Moves } from "./moves.ts";
import { type LimitedPatch, type PatchRequest, patchUpTo } from "./patch-up-to.ts";
import type { Place } from "./place.ts";
import type { BranchPlacing } from "./place-branch.ts";
import type { PreparedCommit } from "./planned-commit.ts";
import type { PushRequest } from "./push.ts";
import type { Recorded } from "./recorded.ts";
import { type Ref, refs } from "./ref-list.ts";
import {
  branchName,
  commitsSince,
  defaultBranch,
  type HistoricCommit,
  headCommit,
  historySince,
  isInAnyRef,
  mergeBase,
  resolveCommit,
} from "./refs.ts";
import type { ResetOptions } from "./reset.ts";
import type { Snapshot, SnapshotOptions } from "./snapshot.ts";
import type { BranchesThen, StrangeMoves } from "./strange-moves.ts";
import type { PathFrom } from "./tree-with.ts";
import { emptyTree, fileAt, sameTree, stagedTree, treeOf, worktreeTree } from "./trees.ts";
import type { Worktree } from "./worktree-list.ts";
import type { KnownWorktree, WorktreeRequest } from "./worktrees.ts";

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
  /** Whether a branch, a tag or something that was kept has a commit, given by its id, in its history. */
  isInAnyRef(commit: string): Promise<boolean>;

  /** The tree of a commit, or the tree itself. */
  treeOf(commitOrTree: string): Promise<string>;
  /** The text of a file in a commit, or null where there is none, or none that is text. */
  fileAt(commit: string, path: string): Promise<string | null>;
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
  blobs(): Blobs;
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
  author(): Promise<CommitPlan["author"]>;
  /** Stages everything and runs the hooks; what it gives is plain data, to be recorded before it is carried out. */
  prepareCommit(request: CommitRequest): Promise<PreparedCommit>;
  /** The same commit however often it is called. Throws kind `moved` where the branch is somewhere else. */
  carryOut(plan: CommitPlan): Promise<{ commit: string }>;
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
  /** Whether the worktree is on the branch that it was asked for, and that at this commit. */
  isAt(commit: string): Promise<boolean>;
  /** The commits that a reset of this worktree would drop from its own branch, or from a head that is on none. */
  atStake(): Promise<string[]>;
  /** Whether every commit beyond a head was made by the git of an agent, or is kept already. */
  isByAgents(commit: string, head: string): Promise<boolean>;
  /** Hard, untracked files included, ignored files only if asked. A commit moves the worktree's own branch; a tree does not. */
  resetTo(treeOrCommit: string, options?: ResetOptions): Promise<void>;
  /** Puts head, index and files back to what is recorded. */
  restore(recorded: Recorded): Promise<void>;
  /** Leaves head and files as they are where they are what is recorded, and restores them where not; the index may differ. */
  ensure(recorded: Recorded): Promise<void>;
  /** Under refs/anneal/, safe from garbage collection. */
  keepTree(ref: string, tree: string): Promise<void>;
  dropKept(prefix: string): Promise<void>;
  touchedRegions(from: string, to: string): Promise<Region[]>;
  /** What became of the lines of the wanted files, and of the names of all. */
  moves(from: string, to: string, isWanted: (file: string, oldFile: string) => boolean): Promise<Moves>;

  /** Opens the worktree that is there, or makes it; a half-made one is made anew. A new one holds what it is made from, and nothing else. */
  addWorktree(request: WorktreeRequest): Promise<Repo & { isNew: boolean }>;
  /** Opens a worktree of this repository as it stands; kind `worktree-taken` where something else is there. */
  openWorktree(path: string): Promise<Repo>;
  /** With everything in it; its branch stays. Refuses what is no worktree of this repository, unless it is known to be ours. */
  removeWorktree(path: string, known?: KnownWorktree): Promise<void>;
  listWorktrees(): Promise<Worktree[]>;
  clearHalfMade(): Promise<void>;
  /** Hides paths from git on this machine; patterns are those of .gitignore. */
  exclude(patterns: string[]): Promise<void>;
  /** Hides exactly these paths, from the top of the work tree. */
  excludePaths(paths: string[]): Promise<void>;
  /** Runs one change of refs or worktrees at a time in this repository. */
  serialised<T>(work: () => Promise<T>): Promise<T>;

  /** Where all branches stand, for `putBackMoves`. */
  branchesNow(): Promise<BranchesThen>;
  /** Puts branches back that this worktree's agent moved since then and that were not its to move; what would be lost is kept under a name of ours. */
  putBackMoves(then: BranchesThen, under: string): Promise<StrangeMoves>;
  /** The same for the agent of any worktree, one that is gone included, whose process was killed. */
  putBackLeft(then: BranchesThen, under: string): Promise<StrangeMoves>;
  /** What all work trees share is left out where whoever comes cannot reach it. */
  snapshot(options?: SnapshotOptions): Promise<Snapshot>;
  /**
   * What differs now from an earlier snapshot, apart from refs that this process moved itself and those of a remote; empty where nothing does.
   * What all work trees share does not count where whoever was here could not reach it.
   */
  sameAs(before: Snapshot, options?: SnapshotOptions): Promise<string[]>;
  /** What is under way in this work tree: changed, new and hidden files, and what was begun in it. */
  outline(): Promise<Snapshot>;
  /** What differs now from an earlier outline; commits of this process do not count. */
  outlineChanges(before: Snapshot): Promise<string[]>;
}

/** Opens the repository that a folder belongs to. */
export async function openRepo(dir: string, { clock = systemClock }: { clock?: Clock } = {}): Promise<Repo> {
  await inOrder(absolute(dir));
  return repoAt({ ...(await findRepository(absolute(dir), "here-or-above")), clock });
}

/** Before any git runs there: settings that an agent had changed when its process was killed could start programs of its own. */
async function inOrder(dir: string): Promise<void> {
  const common = commonAbove(dir);
  if (common === null || !existsSync(join(common, SETTINGS_NOTES))) return;
  (await import("../sandbox/left-settings.ts")).putBackSettings(common);
}

function repoAt(place: Place): Repo {
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
    isInAnyRef: (commit) => isInAnyRef(place, commit),
    treeOf: (commitOrTree) => treeOf(place, commitOrTree),
    fileAt: (commit, path) => fileAt(place, commit, path),
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
    author: async () => (await (await changing()).identityOf(place, {})).author,
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
    atStake: async () => (await changing()).atStake(place),
    isByAgents: async (commit, head) => (await changing()).isByAgents(place, commit, head),
    resetTo: async (target, options) => (await changing()).resetTo(place, target, options),
    restore: async (recorded) => (await changing()).restore(place, recorded),
    ensure: async (recorded) => (await changing()).ensure(place, recorded),
    keepTree: async (ref, tree) => (await changing()).keepTree(place, ref, tree),
    dropKept: async (prefix) => (await changing()).dropKept(place, prefix),
    touchedRegions: async (from, to) => (await changing()).touchedRegions(place, from, to),
    moves: async (from, to, isWanted) => (await changing()).moves(place, from, to, isWanted),
    addWorktree: async (request) => {
      const added = await (await changing()).addWorktree(place, request);
      return { ...repoAt(added.place), isNew: added.isNew };
    },
    openWorktree: async (path) => repoAt(await (await changing()).openWorktree(place, path)),
    removeWorktree: async (path, known) => (await changing()).removeWorktree(place, path, known),
    listWorktrees: async () => (await changing()).listWorktrees(place),
    clearHalfMade: async () => (await changing()).clearHalfMade(place),
    exclude: async (patterns) => (await changing()).exclude(place, patterns),
    excludePaths: async (paths) => {
      const { exactPattern, exclude } = await changing();
      await exclude(place, paths.map(exactPattern));
    },
    serialised: async (work) => (await changing()).serialised(place.commonDir, work),
    branchesNow: async () => (await changing()).branchesNow(place),
    putBackMoves: async (then, under) => (await changing()).putBackMoves(place, then, under),
    putBackLeft: async (then, under) => (await changing()).putBackLeft(place, then, under),
    snapshot: async (options) => (await changing()).snapshot(place, options),
    sameAs: async (before, options) => (await changing()).differencesSince(place, before, options),
    outline: async () => (await changing()).outline(place),
    outlineChanges: async (before) => (await changing()).outlineChanges(place, before),
  };
}

const changing = () => import("./changing.ts");

function openChange(place: Place, bounds: ChangeBounds, options?: DiffOptions): Change & { close(): void } {
  const blobs = openBlobs(place.root);
  return {
    bounds,
    files: () => changedFiles(place, bounds, options),
    content: (blob) => blobs.read(blob),
    whole: { root: place.root, files: () => filesIn(place, bounds.head) },
    close: () => blobs.close(),
  };
}
