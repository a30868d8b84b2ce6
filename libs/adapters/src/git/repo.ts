import { stat } from "node:fs/promises";
import { resolve as absolute } from "node:path";
import type { ChangeBounds, ChangedFile, Region } from "@anneal/types";
import type { Change } from "../ports.ts";
import { type Blobs, openBlobs } from "./blobs.ts";
import { type CommitOptions, type CommitResult, commitAll, resetTo, status } from "./commit.ts";
import { createRepository, switchToNew } from "./create.ts";
import { changedFiles, type DiffOptions } from "./diff.ts";
import { complaint, GitError } from "./errors.ts";
import type { Place } from "./place.ts";
import { branchName, defaultBranch, headCommit, mergeBase, resolveCommit } from "./refs.ts";
import { renames, touchedRegions } from "./regions.ts";
import { git, runGit } from "./run.ts";
import { differences, type Snapshot, snapshot } from "./snapshot.ts";
import { emptyTree, fileAt, stagedTree, treeOf, worktreeTree } from "./trees.ts";

/** A repository with a work tree: all that the rest of the product may ask of git. */
export interface Repo {
  /** The top of the work tree. */
  root: string;
  gitDir: string;

  resolve(ref: string): Promise<string>;
  /** Null in a repository without commits. */
  headCommit(): Promise<string | null>;
  /** Null on a detached head. */
  branchName(): Promise<string | null>;
  defaultBranch(): Promise<string>;
  mergeBase(a: string, b: string): Promise<string>;

  /** The tree of a commit, or the tree itself. */
  treeOf(commitOrTree: string): Promise<string>;
  /** The text of a file in a commit, or null where there is none, or none that is text. */
  fileAt(commit: string, path: string): Promise<string | null>;
  emptyTree(): Promise<string>;
  stagedTree(): Promise<string>;
  worktreeTree(): Promise<string>;
  changedFiles(bounds: ChangeBounds, options?: DiffOptions): AsyncIterable<ChangedFile>;
  blobs(): Blobs;
  change(bounds: ChangeBounds, options?: DiffOptions): Change & { close(): void };

  switchToNew(branch: string): Promise<void>;
  status(): Promise<"clean" | "changed">;
  commitAll(message: string, options?: CommitOptions): Promise<CommitResult>;
  /** Hard, untracked files included, ignored files not. A commit moves the branch; a tree does not. */
  resetTo(treeOrCommit: string): Promise<void>;
  touchedRegions(from: string, to: string): Promise<Region[]>;
  /** New path by old path. */
  renames(from: string, to: string): Promise<Record<string, string>>;

  snapshot(): Promise<Snapshot>;
  /** What differs now from an earlier snapshot; empty where nothing does. */
  sameAs(before: Snapshot): Promise<string[]>;
}

/** Opens the repository that a folder belongs to. */
export async function openRepo(dir: string): Promise<Repo> {
  const place = await findRepository(absolute(dir));
  return {
    root: place.root,
    gitDir: place.gitDir,
    resolve: (ref) => resolveCommit(place, ref),
    headCommit: () => headCommit(place),
    branchName: () => branchName(place),
    defaultBranch: () => defaultBranch(place),
    mergeBase: (a, b) => mergeBase(place, a, b),
    treeOf: (commitOrTree) => treeOf(place, commitOrTree),
    fileAt: (commit, path) => fileAt(place, commit, path),
    emptyTree: () => emptyTree(place),
    stagedTree: () => stagedTree(place),
    worktreeTree: () => worktreeTree(place),
    changedFiles: (bounds, options) => changedFiles(place, bounds, options),
    blobs: () => openBlobs(place.root),
    change: (bounds, options) => openChange(place, bounds, options),
    switchToNew: (branch) => switchToNew(place, branch),
    status: () => status(place),
    commitAll: (message, options) => commitAll(place, message, options),
    resetTo: (target) => resetTo(place, target),
    touchedRegions: (from, to) => touchedRegions(place, from, to),
    renames: (from, to) => renames(place, from, to),
    snapshot: () => snapshot(place),
    sameAs: async (before) => differences(before, await snapshot(place)),
  };
}

/** Makes a repository in an empty folder and opens it. */
export async function initRepo(dir: string, identity: { name: string; email: string }): Promise<Repo> {
  await createRepository(dir, identity);
  return await openRepo(dir);
}

function openChange(place: Place, bounds: ChangeBounds, options?: DiffOptions): Change & { close(): void } {
  const blobs = openBlobs(place.root);
  return {
    bounds,
    files: () => changedFiles(place, bounds, options),
    content: (blob) => blobs.read(blob),
    close: () => blobs.close(),
  };
}

const QUESTIONS = ["--is-bare-repository", "--absolute-git-dir", "--git-common-dir", "--show-toplevel"] as const;

async function findRepository(dir: string): Promise<Place> {
  const found = await stat(dir).catch(() => null);
  if (!found?.isDirectory())
    throw new GitError("not-a-repository", `${dir} is not a folder: name one inside a git work tree`);
  const result = await runGit({ cwd: dir, args: ["rev-parse", "--path-format=absolute", ...QUESTIONS] });
  const answers = result.stdout.toString("utf8").split("\n");
  if (result.code !== 0) throw noRepository(dir, answers[0] === "true", result.stderr);
  const [, gitDir, commonDir, root] = answers.length === QUESTIONS.length + 1 ? answers : await askOneByOne(dir);
  if (!gitDir || !commonDir || !root) throw noRepository(dir, false, result.stderr);
  return { root, gitDir, commonDir };
}

/** For paths that hold newlines themselves. */
function askOneByOne(dir: string): Promise<string[]> {
  return Promise.all(
    QUESTIONS.map(async (question) =>
      (await git({ cwd: dir, args: ["rev-parse", "--path-format=absolute", question] })).replace(/\n$/, ""),
    ),
  );
}

function noRepository(dir: string, bare: boolean, stderr: string): GitError {
  const cause = new Error(stderr);
  if (bare)
    return new GitError("not-a-repository", `${dir} is a bare repository: clone it, and run this in the clone`, {
      cause,
    });
  if (stderr.includes("dubious ownership")) {
    const advice = `trust it with git config --global --add safe.directory ${dir}`;
    return new GitError("failed", `${dir} belongs to another user, and git refuses to read it: ${advice}`, { cause });
  }
  if (stderr.includes("must be run in a work tree")) {
    return new GitError("not-a-repository", `${dir} is inside a git directory: run this in the work tree`, { cause });
  }
  if (stderr.includes("not a git repository")) {
    return new GitError("not-a-repository", `${dir} is not in a git repository: change folder, or run git init`, {
      cause,
    });
  }
  return new GitError("failed", `git cannot read ${dir}: ${complaint(stderr)}`, { cause });
}
