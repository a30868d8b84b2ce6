import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { failpoint } from "@anneal/system/failpoint";
import { writeAtomic } from "@anneal/system/files/atomic";
import { isAncestor, localBranch, refValue, resolveCommit } from "../../read/refs/refs.ts";
import { treeOf, withIndexCopy, writeTree } from "../../read/tree/trees.ts";
import { GitError } from "../../run/errors.ts";
import { changeGit, tryChange } from "../../run/locks.ts";
import { serialised } from "../../run/queue.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { git } from "../../run/run.ts";
import { refuseRebase, treesOn } from "./checked-out.ts";
import { checkWay, type FollowCheck, telling } from "./follow-check.ts";
import { moveRefAfter } from "./held-ref.ts";

export interface BranchMove {
  /** The full or the short name. */
  branch: string;
  from: string;
  /** A descendant of `from`. */
  to: string;
  /** For the reflog. */
  reason?: string;
}

/**
 * Moves a branch forward, and index and files of the work trees that have it checked out along with it.
 * The files come first and the ref last, so a branch that stands at the target, or beyond, is finished.
 */
export function moveBranch(location: RepoLocation, move: BranchMove): Promise<void> {
  return serialised(location.commonDir, async () => {
    const ref = await localBranch(location, move.branch);
    const [from, to] = await Promise.all([resolveCommit(location, move.from), resolveCommit(location, move.to)]);
    if (!(await isAncestor(location, from, to))) throw sideways(ref, from, to);
    const stands = await refValue(location, ref);
    const trees = await treesOn(location, ref);
    if (stands !== null && (await isAncestor(location, to, stands))) return await forget(trees);
    if (stands !== from) throw movedAway(ref, from, stands);
    await refuseRebase(location, ref);

    const note = JSON.stringify({ ref, from, tree: await treeOf(location, to) } satisfies MoveNote);
    const followers = await Promise.all(trees.map((tree) => readyToFollow(tree, note, from, to)));
    const reason = move.reason ?? "fast-forward";
    // Run where the branch is checked out, so that the reflog of that HEAD tells of it too.
    const result = await moveRefAfter(trees[0] ?? location, { ref, from, to, reason }, async () => {
      for (const { tree, check } of followers) await follow(tree, check, note);
      failpoint("git.move.ref.before");
    });
    if (result.code !== 0) throw movedAway(ref, from, await refValue(location, ref), result.stderr);
    failpoint("git.move.ref.after");
    await forget(trees);
  });
}

/** The same words wherever a branch is not where it should be. */
export function movedAway(ref: string, expected: string, found: string | null, cause?: string): GitError {
  const where = `it was expected at ${expected} and is at ${found ?? "no commit"}`;
  return new GitError("moved", `${ref} moved meanwhile and was not changed: ${where}`, {
    moved: { expected, found },
    ...(cause === undefined ? {} : { cause: new Error(cause) }),
  });
}

function sideways(ref: string, from: string, to: string): GitError {
  return new GitError("failed", `${ref} only moves forward, and ${to} does not contain ${from}: merge them first`);
}

async function readyToFollow(tree: RepoLocation, note: string, from: string, to: string) {
  const start = (await noteOf(tree)) === note ? "begun" : "fresh";
  const check = await checkWay(tree, { from, to, start });
  const { changed, strangers } = check;
  if (changed.length + strangers.length > 0) throw inTheWay(tree, changed, strangers);
  return { tree, check };
}

async function follow(tree: RepoLocation, check: FollowCheck, note: string): Promise<void> {
  failpoint("git.move.note.before");
  await writeAtomic(notePath(tree), note);
  failpoint("git.move.note.after");
  await moveFiles(tree, check);
}

/** Brings index and files to where a look at the way says that they should go. */
export async function moveFiles(tree: RepoLocation, { coming, settled, torn }: FollowCheck): Promise<void> {
  if (settled.length > 0) await changeGit(tree, telling(settled));
  for (const path of torn) await rm(join(tree.root, path), { force: true });
  // From what the index holds to the same with the target's files in it: what is staged besides is in both.
  const [now, then] = await withIndexCopy(tree, join(tree.gitDir, "index"), async (env) => {
    const before = await writeTree(tree, env);
    if (coming.length > 0) await git({ cwd: tree.root, ...telling(coming), env });
    return [before, await writeTree(tree, env)];
  });
  failpoint("git.move.files.before");
  const result = await tryChange(tree, { args: ["read-tree", "-m", "-u", "--no-recurse-submodules", now, then] });
  if (result.code !== 0) throw await refused(tree, result.stderr);
  failpoint("git.move.files.after");
}

/** Git looks again itself, and stops before it writes anything where a file changed since we looked. */
async function refused(tree: RepoLocation, stderr: string): Promise<GitError> {
  const named = [...stderr.matchAll(/^error: (Entry|Untracked working tree file) '(.+)' /gm)];
  const files = (what: string) => named.filter(([, kind]) => kind === what).map(([, , path = ""]) => path);
  if (named.length > 0) {
    await forget([tree]);
    return inTheWay(tree, files("Entry"), files("Untracked working tree file"), stderr);
  }
  const cause = new Error(stderr);
  return new GitError("failed", `the files in ${tree.root} could not be updated: fix the cause below, and try again`, {
    cause,
  });
}

function inTheWay({ root }: RepoLocation, changed: string[], strangers: string[], cause?: string): GitError {
  const advice = [
    ...(changed.length === 0 ? [] : [`commit or stash your changes in ${some(changed)}`]),
    ...(strangers.length === 0 ? [] : [`move away these untracked files: ${some(strangers)}`]),
  ];
  return new GitError("in-the-way", `${root} has changes that would be overwritten: ${advice.join("; ")}`, {
    paths: [...changed, ...strangers],
    ...(cause === undefined ? {} : { cause: new Error(cause) }),
  });
}

function some(paths: string[]): string {
  return paths.slice(0, 5).join(", ") + (paths.length > 5 ? ` and ${paths.length - 5} more` : "");
}

/** What says, while files are on their way, whose doing it is if they are found half-way. */
export interface MoveNote {
  ref: string;
  from: string;
  /** The tree of the commit that the branch was to move to. */
  tree: string;
}

function notePath({ gitDir }: RepoLocation): string {
  return join(gitDir, "anneal-move.json");
}

export function noteOf(tree: RepoLocation): Promise<string | null> {
  return readFile(notePath(tree), "utf8").catch(() => null);
}

export async function forget(trees: RepoLocation[]): Promise<void> {
  for (const tree of trees) await rm(notePath(tree), { force: true });
}
