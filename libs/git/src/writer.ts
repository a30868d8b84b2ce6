import type { MergePlan } from "@anneal/types";
import { headCommit } from "./read/refs/refs.ts";
import type { FetchCommitRequest, FetchRequest } from "./remote/fetch.ts";
import type { PushRequest } from "./remote/push.ts";
import type { RepoLocation } from "./run/repo-location.ts";
import type { BranchMove } from "./write/branch/follow-branch.ts";
import type { BranchUpdate } from "./write/branch/update-branch.ts";
import type { Recorded } from "./write/checkout/recorded.ts";
import type { ResetOptions } from "./write/checkout/reset.ts";
import type { CommitOptions, CommitResult } from "./write/commit/commit.ts";
import type { CommitObjectPlan, CommitRequest } from "./write/commit/commit-object.ts";
import type { Joined, JoinRequest } from "./write/commit/join-commits.ts";
import type { MergeRequest, PlannedMerge } from "./write/commit/merge.ts";
import type { PreparedCommit } from "./write/commit/planned-commit.ts";
import type { PathFrom } from "./write/commit/tree-with.ts";

/** What may be changed in a repository with a work tree. */
export interface RepoWriter {
  /** A commit of a tree on top of the head, on no branch. */
  treeAsCommit(tree: string): Promise<string>;
  /** A tree with one path as it is in another tree or commit. */
  treeWith(tree: string, other: PathFrom): Promise<string>;
  switchToNew(branch: string): Promise<void>;
  commitAll(message: string, options?: CommitOptions): Promise<CommitResult>;
  /** Stages everything and runs the hooks; what it gives is plain data, to be recorded before it is carried out. */
  prepareCommit(request: CommitRequest): Promise<PreparedCommit>;
  /** The same commit however often it is called. Throws kind `moved` where the branch is somewhere else. */
  carryOut(plan: CommitObjectPlan): Promise<{ commit: string }>;
  /** Moves a branch forward, with index and files where it is checked out. Kinds `moved` and `in-the-way` leave all as it was. */
  moveBranch(move: BranchMove): Promise<void>;
  /** Puts files back that a killed `moveBranch` had moved already, where the branch itself is not moved any more. */
  undoMove(branch: string): Promise<void>;
  /** Makes a branch, or puts one elsewhere that no work tree has checked out. Throws kind `moved` where it stands elsewhere. */
  updateBranch(placing: BranchUpdate): Promise<void>;
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
  /** One branch of one remote, into its remote-tracking ref and no other. Kind `unknown-ref` where the remote has no such branch. */
  fetchBranch(request: FetchRequest): Promise<{ commit: string }>;
  /** One commit and its history, by its id; no ref moves. Kind `unknown-ref` where the remote does not give it out. */
  fetchCommit(request: FetchCommitRequest): Promise<void>;
  /** Hard, untracked files included, ignored files only if asked. A commit moves the workspace's own branch; a tree does not. */
  resetTo(treeOrCommit: string, options?: ResetOptions): Promise<void>;
  /** Puts head, index and files back to what is recorded. */
  restore(recorded: Recorded): Promise<void>;
  /** Leaves head and files as they are where they are what is recorded, and restores them where not; the index may differ. */
  ensure(recorded: Recorded): Promise<void>;
  /** Under refs/anneal/, safe from garbage collection. */
  keepTree(ref: string, tree: string): Promise<void>;
  /** Hides paths from git on this machine; patterns are those of .gitignore. */
  exclude(patterns: string[]): Promise<void>;
  /** Hides exactly these paths, from the top of the work tree. */
  excludePaths(paths: string[]): Promise<void>;
}

/** What changes a repository is loaded when it is first used: most commands only read. */
export function writerAt(location: RepoLocation): RepoWriter {
  return {
    treeAsCommit: async (tree) => (await changing()).treeAsCommit(location, tree, await headCommit(location)),
    treeWith: async (tree, other) => (await changing()).treeWith(location, tree, other),
    switchToNew: async (branch) => (await changing()).switchToNew(location, branch),
    commitAll: async (message, options) => (await changing()).commitAll(location, message, options),
    prepareCommit: async (request) => (await changing()).prepareCommit(location, request),
    carryOut: async (plan) => (await changing()).carryOut(location, plan),
    moveBranch: async (move) => (await changing()).moveBranch(location, move),
    undoMove: async (branch) => (await changing()).undoMove(location, branch),
    updateBranch: async (placing) => (await changing()).updateBranch(location, placing),
    mergePlan: async (request) => (await changing()).mergePlan(location, request),
    carryOutMerge: async (plan) => (await changing()).carryOutMerge(location, plan),
    mergeTrees: async (ours, theirs) => (await changing()).mergeTrees(location, ours, theirs),
    joinCommits: async (request) => (await changing()).joinCommits(location, request),
    push: async (request) => (await changing()).push(location, request),
    fetchBranch: async (request) => (await changing()).fetchBranch(location, request),
    fetchCommit: async (request) => (await changing()).fetchCommit(location, request),
    resetTo: async (target, options) => (await changing()).resetTo(location, target, options),
    restore: async (recorded) => (await changing()).restore(location, recorded),
    ensure: async (recorded) => (await changing()).ensure(location, recorded),
    keepTree: async (ref, tree) => (await changing()).keepTree(location, ref, tree),
    exclude: async (patterns) => (await changing()).exclude(location, patterns),
    excludePaths: async (paths) => {
      const { exactPattern, exclude } = await changing();
      await exclude(location, paths.map(exactPattern));
    },
  };
}

const changing = () => import("./changing.ts");
