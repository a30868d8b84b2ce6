import { isUtf8 } from "node:buffer";
import { mkdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { copyFile, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { failpoint } from "@anneal/system/failpoint";
import { sweepTemporaries, temporaryPathFor } from "@anneal/system/files/atomic";
import { GitError } from "../../run/errors.ts";
import { changeGit } from "../../run/locks.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { git, runGit } from "../../run/run.ts";
import { isId, knownTree, noteTree } from "../refs/known-commits.ts";
import { unhide } from "./hidden-files.ts";
import { mendIndex } from "./index-damage.ts";
import { indexTraits } from "./index-file.ts";

/** The id of the tree without files, in the repository's own hash. */
export async function emptyTree({ root }: RepoLocation): Promise<string> {
  return (await git({ cwd: root, args: ["hash-object", "-t", "tree", "--stdin"] })).trim();
}

/** The tree of a commit, or the tree itself. */
export async function treeOf({ root }: RepoLocation, commitOrTree: string): Promise<string> {
  const known = knownTree(commitOrTree);
  if (known !== undefined) return known;
  const args = ["rev-parse", "--verify", "--end-of-options", `${commitOrTree}^{tree}`];
  const tree = (await git({ cwd: root, args })).trim();
  if (isId(commitOrTree)) noteTree(commitOrTree, tree);
  return tree;
}

/** Whether two commits or trees, given by id, hold the same files. */
export async function sameTree({ root }: RepoLocation, a: string, b: string): Promise<boolean> {
  const [left, right] = (await git({ cwd: root, args: ["rev-parse", `${a}^{tree}`, `${b}^{tree}`] })).split("\n");
  return left === right;
}

/** The text of a file in a commit, or null where there is none, or it is not text. */
export async function fileAt({ root }: RepoLocation, commit: string, path: string): Promise<string | null> {
  const { code, stdout } = await runGit({ cwd: root, args: ["cat-file", "blob", `${commit}:${path}`] });
  return code === 0 && isUtf8(stdout) && !stdout.includes(0) ? stdout.toString("utf8") : null;
}

/** Writes what is staged as a tree. The user's index is not touched. */
export async function stagedTree(location: RepoLocation): Promise<string> {
  const index = committedIndex(location);
  return withIndexCopy(location, index, async (env) => {
    await refuseUnmerged(location, env);
    return writeTree(location, env);
  });
}

/** In a commit hook git names the index that becomes the commit, which for `git commit -a` or `-- paths` is not the usual one. */
function committedIndex({ root, gitDir }: RepoLocation, named = process.env.GIT_INDEX_FILE): string {
  const usual = join(gitDir, "index");
  if (!named) return usual;
  const path = resolve(root, named);
  // Only this repository's own: a variable that came from another one means nothing here.
  return path.startsWith(`${gitDir}${sep}`) ? path : usual;
}

/** Writes all files of the work tree, untracked but not ignored ones included, as a tree. The user's index is not touched. */
export async function worktreeTree(location: RepoLocation, { since }: { since?: string } = {}): Promise<string> {
  // Without an index nothing but the head says which of the ignored files are tracked.
  if (since !== undefined && location.own !== undefined) await mendIndex(location);
  return withIndexCopy(location, join(location.gitDir, "index"), async (env) => {
    const tree = await treeOfFiles(location, env);
    if (since === undefined || indexTraits(location, env.GIT_INDEX_FILE)?.submodules === false) return tree;
    await (await import("./submodules.ts")).refuseBeyondReach(location, since, env);
    return tree;
  });
}

/** Stages all files in the index that the environment names, and writes its tree. */
export async function treeOfFiles(location: RepoLocation, env: OtherIndex): Promise<string> {
  await unhide(location, env);
  await (await import("./submodules.ts")).refuseForeign(location, env);
  await git({ cwd: location.root, args: ["add", "--all", "--sparse"], env });
  return writeTree(location, env);
}

/** The environment in which git uses another index than the worktree's own. */
type OtherIndex = { GIT_INDEX_FILE: string };

/** Writes an index as a tree. Git locks the index for that, so in the worktree's own one it has to be as careful as a change. */
export async function writeTree(location: RepoLocation, env?: OtherIndex): Promise<string> {
  const call = { args: ["write-tree"], ...(env === undefined ? {} : { env }) };
  return (env === undefined ? await changeGit(location, call) : await git({ cwd: location.root, ...call })).trim();
}

/** The paths that the index holds conflicts in. */
export async function unmergedPaths(location: RepoLocation, env: Record<string, string> = {}): Promise<string[]> {
  if (indexTraits(location, env.GIT_INDEX_FILE)?.conflicts === false) return [];
  const listed = await git({ cwd: location.root, args: ["ls-files", "--unmerged", "-z"], env });
  return [...new Set(listed.split("\0").filter(Boolean).map(pathOfStageLine))];
}

/** Throws where the index still holds both sides of a conflict. */
export async function refuseUnmerged(location: RepoLocation, env: Record<string, string> = {}): Promise<void> {
  const paths = await unmergedPaths(location, env);
  if (paths.length === 0) return;
  const some = paths.slice(0, 3).join(", ") + (paths.length > 3 ? ` and ${paths.length - 3} more` : "");
  throw new GitError("unmerged", `the index has conflicts in ${some}: resolve them and stage the result with git add`, {
    paths,
  });
}

/** Throws in the middle of a merge, whose second parent a commit of ours would lose. */
export async function refuseMerge({ gitDir }: RepoLocation): Promise<void> {
  const merging = await stat(join(gitDir, "MERGE_HEAD")).then(
    () => true,
    () => false,
  );
  if (merging) throw new GitError("unmerged", "a merge is under way: finish it with git commit, or git merge --abort");
}

/** The path of an `ls-files --stage` line: everything behind the tab, other tabs included. */
function pathOfStageLine(line: string): string {
  return line.slice(line.indexOf("\t") + 1);
}

/** The copies of all work trees lie in one folder, where the next one sweeps away what a killed process left. */
export async function withIndexCopy<T>(
  { commonDir }: RepoLocation,
  index: string,
  work: (env: OtherIndex) => Promise<T>,
): Promise<T> {
  const home = join(commonDir, "anneal");
  await sweepTemporaries(home);
  const folder = temporaryPathFor(join(home, "index"));
  const copy = join(folder, "index");
  mkdirSync(folder, { recursive: true });
  try {
    await copyIndex(index, copy).catch(ignoreMissing);
    failpoint("git.index-copy.after");
    return await work({ GIT_INDEX_FILE: copy });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Copies an index with its time. Git looks again at files that changed in the very moment in which the index was written, and
 * tells them by that time: a copy that looks newer would hide an edit of the same length made in the same tick.
 */
async function copyIndex(index: string, copy: string): Promise<void> {
  const { atimeMs, mtimeMs } = statSync(index);
  await copyFile(index, copy);
  utimesSync(copy, atimeMs / 1_000, Math.floor(mtimeMs) / 1_000);
}

/** A new repository has no index yet. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
