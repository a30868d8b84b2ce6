import { failpoint } from "@anneal/system/failpoint";
import type { MergePlan } from "@anneal/types";
import { isAncestor, localBranch, refValue, resolveCommit } from "../../read/refs/refs.ts";
import { treeOf } from "../../read/tree/trees.ts";
import { complaint, GitError } from "../../run/errors.ts";
import { serialised } from "../../run/queue.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { git, runGit } from "../../run/run.ts";
import { moveBranch, movedAway } from "../branch/follow-branch.ts";
import { type CommitRequest, commitObject, identityOf, isPlanned, isSigning } from "./commit-object.ts";

export interface MergeRequest extends Omit<CommitRequest, "signal"> {
  /** The branch that takes the commit in, by its full or short name. */
  into: string;
  commit: string;
  /** Whether a branch that has nothing of its own may simply move; it may by default. */
  ff?: "allow" | "never";
}

/** `already`: the branch contains the commit. `conflicts` names the files that a person has to merge. */
export type PlannedMerge = { plan: MergePlan } | { conflicts: string[] } | "already";

/** Computes a merge without touching any work tree, index or ref. */
export async function mergePlan(location: RepoLocation, request: MergeRequest): Promise<PlannedMerge> {
  const branch = await localBranch(location, request.into);
  const [parent, merged] = await Promise.all([refValue(location, branch), resolveCommit(location, request.commit)]);
  if (parent === null) throw new GitError("unknown-ref", `there is no branch ${branch}: check its spelling`);
  if (await isAncestor(location, merged, parent)) return "already";
  const ahead = await isAncestor(location, parent, merged);
  const tree = ahead ? await treeOf(location, merged) : await mergeTrees(location, parent, merged);
  if (typeof tree !== "string") return tree;
  const by = ahead && request.ff !== "never" ? "forward" : "commit";
  const message = request.message.endsWith("\n") ? request.message : `${request.message}\n`;
  return { plan: { branch, parent, merged, by, tree, message, ...(await identityOf(location, request)) } };
}

/** Makes the planned merge the head of its branch, in the work trees that have it checked out too, or finds it done. */
export function carryOutMerge(location: RepoLocation, plan: MergePlan): Promise<{ commit: string }> {
  return serialised(location.commonDir, async () => {
    const commit = await mergeCommit(location, plan);
    const reason = `merge ${plan.merged.slice(0, 12)}: ${plan.message.split("\n", 1)[0] ?? ""}`;
    await moveBranch(location, { branch: plan.branch, from: plan.parent, to: commit, reason });
    return { commit };
  });
}

async function mergeCommit(location: RepoLocation, plan: MergePlan): Promise<string> {
  if (plan.by === "forward") return plan.merged;
  const signing = await isSigning(location);
  if (signing) {
    // A signature is new every time, so a signed merge is known by what it holds.
    const stands = await refValue(location, plan.branch);
    const done = await plannedIn(location, plan, stands);
    if (done !== null) return done;
    if (stands !== plan.parent) throw movedAway(plan.branch, plan.parent, stands);
  }
  await restoreTree(location, plan);
  failpoint("git.merge-object.before");
  const commit = await commitObject(location, plan, signing);
  failpoint("git.merge-object.after");
  return commit;
}

async function plannedIn(location: RepoLocation, plan: MergePlan, head: string | null): Promise<string | null> {
  if (head === null || head === plan.parent) return null;
  const args = ["rev-list", "--merges", "--ancestry-path", `${plan.parent}..${head}`];
  const candidates = (await git({ cwd: location.root, args })).split("\n").filter(Boolean);
  for (const commit of candidates) if (await isPlanned(location, plan, commit)) return commit;
  return null;
}

/** Nothing keeps a planned tree from git's garbage collection, but the same merge makes it again. */
async function restoreTree(location: RepoLocation, plan: MergePlan): Promise<void> {
  const there = await runGit({ cwd: location.root, args: ["cat-file", "-e", plan.tree] });
  if (there.code === 0 || (await mergeTrees(location, plan.parent, plan.merged)) === plan.tree) return;
  throw new GitError("failed", `the merge of ${plan.merged} has a different result now: plan it again`);
}

/** The merged tree, or the files that a person has to merge. */
export async function mergeTrees(
  location: RepoLocation,
  ours: string,
  theirs: string,
): Promise<string | { conflicts: string[] }> {
  const args = ["merge-tree", "--write-tree", "--name-only", "-z", ours, theirs];
  const result = await runGit({ cwd: location.root, args });
  const [tree = "", ...rest] = result.stdout.toString("utf8").split("\0");
  if (result.code === 0) return tree;
  // Git ends with 1 for conflicts, and for refs that it does not know, which has no output.
  if (result.code === 1 && tree !== "") return { conflicts: conflictedFiles(rest) };
  throw await noMerge(location, ours, theirs, result.stderr);
}

/** The names before the first empty field; git's messages follow, which name what has no content to show. */
function conflictedFiles(fields: string[]): string[] {
  const end = fields.indexOf("");
  const names = fields.slice(0, end < 0 ? fields.length : end);
  return [...new Set(names.length > 0 ? names : pathsOfMessages(fields.slice(end + 1)))].sort();
}

/** Each message: how many paths, the paths, its kind, its text. */
function pathsOfMessages([count, ...fields]: string[]): string[] {
  const paths = fields.slice(0, Number(count ?? 0));
  const [kind = "", , ...next] = fields.slice(paths.length);
  if (count === undefined || count === "") return [];
  return [...(kind.startsWith("CONFLICT") ? paths : []), ...pathsOfMessages(next)];
}

async function noMerge(location: RepoLocation, ours: string, theirs: string, stderr: string): Promise<GitError> {
  const version = (await git({ cwd: location.root, args: ["version"] })).trim();
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  const cause = new Error(stderr);
  if (major < 2 || (major === 2 && minor < 38)) {
    return new GitError("failed", `merging needs git 2.38 or later, and this is ${version}: update git`, { cause });
  }
  if (stderr.includes("unrelated histories")) {
    const advice = "merge them by hand once, with git merge --allow-unrelated-histories";
    return new GitError("no-merge-base", `${ours} and ${theirs} have no common ancestor: ${advice}`, { cause });
  }
  return new GitError("failed", `git merge-tree failed: ${complaint(stderr)}`, { cause });
}
