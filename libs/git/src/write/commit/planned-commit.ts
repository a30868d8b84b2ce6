import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { failpoint } from "@anneal/system/failpoint";
import { branchRef, headCommit } from "../../read/refs/refs.ts";
import { indexStamp, isStaged, noteStaged } from "../../read/tree/staged.ts";
import { refuseForeign } from "../../read/tree/submodules.ts";
import { refuseMerge, refuseUnmerged, treeOf, unmergedPaths, writeTree } from "../../read/tree/trees.ts";
import { GitError } from "../../run/errors.ts";
import { changeGit, tryChange } from "../../run/locks.ts";
import { serialised } from "../../run/queue.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { toOwnBranch } from "../branch/own-branch.ts";
import { isPlain, restore, treeIn } from "../checkout/recorded.ts";
import {
  type CommitObjectPlan,
  type CommitRequest,
  commitObject,
  identityOf,
  isPlanned,
  isSigning,
} from "./commit-object.ts";
import { hookRefusal } from "./hooks.ts";

/** `refused` holds what a hook of the repository said. */
export type PreparedCommit = CommitObjectPlan | { refused: string } | "nothing";

/** Stages everything and runs the repository's pre-commit and commit-msg hooks. No ref moves. */
export async function prepareCommit(location: RepoLocation, request: CommitRequest): Promise<PreparedCommit> {
  const { message, signal, recorded, hooks } = request;
  if (recorded !== undefined && !(await isPlain(location, recorded))) await restore(location, recorded);
  await refuseUnmerged(location);
  await refuseMerge(location);
  const [parent, branch, identity] = await Promise.all([
    headCommit(location),
    branchRef(location),
    identityOf(location, request),
  ]);
  const before = parent === null ? null : await treeOf(location, parent);
  const staged = await stagedAll(location, request);
  if (staged === before) return "nothing";
  const stamp = await indexStamp(location);

  const messageFile = join(location.gitDir, "COMMIT_EDITMSG");
  await writeFile(messageFile, wholeLine(message));
  const refusal = await hookRefusal(location, [["pre-commit"], ["commit-msg", "--", messageFile]], {
    ...hooks,
    signal,
  });
  failpoint("git.hooks.after");
  if (refusal !== null) return { refused: refusal };
  const torn = await unmergedPaths(location);
  if (torn.length > 0) return { refused: `the pre-commit hook left conflicts in the index: ${torn.join(", ")}` };
  const finalMessage = await readFile(messageFile, "utf8");
  if (finalMessage.trim() === "") return { refused: "the commit-msg hook left an empty message" };

  // Hooks may stage more, so the tree is only final now.
  const finalStamp = await indexStamp(location);
  const tree = finalStamp === stamp ? staged : await writeTree(location);
  if (tree === before) return "nothing";
  noteStaged(location, tree, finalStamp);
  return { tree, parent, branch, message: wholeLine(finalMessage), ...identity };
}

/** Stages the files, and gives their tree. Where that is not the recorded one, something changed them since: they are put back. */
async function stagedAll(location: RepoLocation, { recorded, signal }: CommitRequest): Promise<string> {
  const tree = await stageAll(location, signal);
  if (recorded === undefined || tree === (await treeIn(location, recorded))) return tree;
  await restore(location, recorded);
  return await stageAll(location, signal);
}

async function stageAll(location: RepoLocation, signal: AbortSignal | undefined): Promise<string> {
  failpoint("git.stage.before");
  await refuseForeign(location);
  await changeGit(location, { args: ["add", "--all", "--sparse"], signal });
  failpoint("git.stage.after");
  return await writeTree(location);
}

function wholeLine(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}

/** Makes the planned commit the head of its branch, or finds that it is that already. */
export async function carryOut(location: RepoLocation, plan: CommitObjectPlan): Promise<{ commit: string }> {
  const commit = await serialised(location.commonDir, () => moveHead(location, plan));
  // The index is behind only where somebody touched it between the plan and now.
  if (!(await isStaged(location, plan.tree)) && (await writeTree(location)) !== plan.tree) {
    failpoint("git.index.before");
    await changeGit(location, { args: ["read-tree", "--reset", plan.tree] });
    await tryChange(location, { args: ["update-index", "-q", "--refresh"] });
    failpoint("git.index.after");
  }
  return { commit };
}

async function moveHead(location: RepoLocation, plan: CommitObjectPlan): Promise<string> {
  if (plan.parent !== null) await toOwnBranch(location, plan.parent);
  const [head, branch, signing] = await Promise.all([headCommit(location), branchRef(location), isSigning(location)]);
  if (branch !== plan.branch) throw switched(plan, branch, head);
  // A signature is new every time, so a signed commit is known by what it holds.
  if (signing && head !== null && (await isPlanned(location, plan, head))) return head;
  if (signing && head !== plan.parent) throw moved(plan, head);
  failpoint("git.commit-object.before");
  const commit = await commitObject(location, plan, signing);
  failpoint("git.commit-object.after");
  if (head === commit) return commit;
  if (head !== plan.parent) throw moved(plan, head);
  failpoint("git.ref.before");
  await swapRef(location, plan, commit);
  failpoint("git.ref.after");
  return commit;
}

/** Moves the branch only if it still stands where it stood: a commit made meanwhile is never lost. */
async function swapRef(location: RepoLocation, plan: CommitObjectPlan, commit: string): Promise<void> {
  const target = plan.branch === null ? ["--no-deref", "HEAD"] : [plan.branch];
  const from = plan.parent ?? "0".repeat(commit.length);
  const subject = plan.message.split("\n", 1)[0] ?? "";
  const args = ["update-ref", "-m", `commit: ${subject}`, ...target, commit, from];
  const result = await tryChange(location, { args });
  if (result.code !== 0) throw moved(plan, await headCommit(location), result.stderr);
}

function moved({ branch, parent }: CommitObjectPlan, found: string | null, cause?: string): GitError {
  const where = `it was at ${parent ?? "no commit"} and is at ${found ?? "no commit"}`;
  return new GitError("moved", `${branch ?? "HEAD"} moved during the commit and was not changed: ${where}`, {
    moved: { expected: parent, found },
    ...(cause === undefined ? {} : { cause: new Error(cause) }),
  });
}

function switched({ branch, parent }: CommitObjectPlan, now: string | null, found: string | null): GitError {
  const where = `the commit was planned on ${branch ?? "a detached head"}, and the worktree is on ${now ?? "one"}`;
  return new GitError("moved", `${where}: switch it back`, { moved: { expected: parent, found } });
}
