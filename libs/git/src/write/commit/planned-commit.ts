import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { failpoint } from "@anneal/system/failpoint";
import { branchRef, headCommit } from "../../read/refs/refs.ts";
import { indexStamp, isStaged, noteStaged } from "../../read/tree/staged.ts";
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
export async function prepareCommit(place: RepoLocation, request: CommitRequest): Promise<PreparedCommit> {
  const { message, signal, recorded, hooks } = request;
  if (recorded !== undefined && !(await isPlain(place, recorded))) await restore(place, recorded);
  await refuseUnmerged(place);
  await refuseMerge(place);
  const [parent, branch, identity] = await Promise.all([
    headCommit(place),
    branchRef(place),
    identityOf(place, request),
  ]);
  const before = parent === null ? null : await treeOf(place, parent);
  const staged = await stagedAll(place, request);
  if (staged === before) return "nothing";
  const stamp = await indexStamp(place);

  const messageFile = join(place.gitDir, "COMMIT_EDITMSG");
  await writeFile(messageFile, wholeLine(message));
  const refusal = await hookRefusal(place, [["pre-commit"], ["commit-msg", "--", messageFile]], {
    ...hooks,
    signal,
  });
  failpoint("git.hooks.after");
  if (refusal !== null) return { refused: refusal };
  const torn = await unmergedPaths(place);
  if (torn.length > 0) return { refused: `the pre-commit hook left conflicts in the index: ${torn.join(", ")}` };
  const finalMessage = await readFile(messageFile, "utf8");
  if (finalMessage.trim() === "") return { refused: "the commit-msg hook left an empty message" };

  // Hooks may stage more, so the tree is only final now.
  const finalStamp = await indexStamp(place);
  const tree = finalStamp === stamp ? staged : await writeTree(place);
  if (tree === before) return "nothing";
  noteStaged(place, tree, finalStamp);
  return { tree, parent, branch, message: wholeLine(finalMessage), ...identity };
}

/** Stages the files, and gives their tree. Where that is not the recorded one, something changed them since: they are put back. */
async function stagedAll(place: RepoLocation, { recorded, signal }: CommitRequest): Promise<string> {
  const tree = await stageAll(place, signal);
  if (recorded === undefined || tree === (await treeIn(place, recorded))) return tree;
  await restore(place, recorded);
  return await stageAll(place, signal);
}

async function stageAll(place: RepoLocation, signal: AbortSignal | undefined): Promise<string> {
  failpoint("git.stage.before");
  await changeGit(place, { args: ["add", "--all", "--sparse"], signal });
  failpoint("git.stage.after");
  return await writeTree(place);
}

function wholeLine(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}

/** Makes the planned commit the head of its branch, or finds that it is that already. */
export async function carryOut(place: RepoLocation, plan: CommitObjectPlan): Promise<{ commit: string }> {
  const commit = await serialised(place.commonDir, () => moveHead(place, plan));
  // The index is behind only where somebody touched it between the plan and now.
  if (!(await isStaged(place, plan.tree)) && (await writeTree(place)) !== plan.tree) {
    failpoint("git.index.before");
    await changeGit(place, { args: ["read-tree", "--reset", plan.tree] });
    await tryChange(place, { args: ["update-index", "-q", "--refresh"] });
    failpoint("git.index.after");
  }
  return { commit };
}

async function moveHead(place: RepoLocation, plan: CommitObjectPlan): Promise<string> {
  if (plan.parent !== null) await toOwnBranch(place, plan.parent);
  const [head, branch, signing] = await Promise.all([headCommit(place), branchRef(place), isSigning(place)]);
  if (branch !== plan.branch) throw switched(plan, branch, head);
  // A signature is new every time, so a signed commit is known by what it holds.
  if (signing && head !== null && (await isPlanned(place, plan, head))) return head;
  if (signing && head !== plan.parent) throw moved(plan, head);
  failpoint("git.commit-object.before");
  const commit = await commitObject(place, plan, signing);
  failpoint("git.commit-object.after");
  if (head === commit) return commit;
  if (head !== plan.parent) throw moved(plan, head);
  failpoint("git.ref.before");
  await swapRef(place, plan, commit);
  failpoint("git.ref.after");
  return commit;
}

/** Moves the branch only if it still stands where it stood: a commit made meanwhile is never lost. */
async function swapRef(place: RepoLocation, plan: CommitObjectPlan, commit: string): Promise<void> {
  const target = plan.branch === null ? ["--no-deref", "HEAD"] : [plan.branch];
  const from = plan.parent ?? "0".repeat(commit.length);
  const subject = plan.message.split("\n", 1)[0] ?? "";
  const args = ["update-ref", "-m", `commit: ${subject}`, ...target, commit, from];
  const result = await tryChange(place, { args });
  if (result.code !== 0) throw moved(plan, await headCommit(place), result.stderr);
}

function moved({ branch, parent }: CommitObjectPlan, found: string | null, cause?: string): GitError {
  const where = `it stood at ${parent ?? "no commit"} and stands at ${found ?? "no commit"}`;
  return new GitError("moved", `${branch ?? "HEAD"} moved during the commit and was left alone: ${where}`, {
    moved: { expected: parent, found },
    ...(cause === undefined ? {} : { cause: new Error(cause) }),
  });
}

function switched({ branch, parent }: CommitObjectPlan, now: string | null, found: string | null): GitError {
  const where = `the commit was planned on ${branch ?? "a detached head"}, and the worktree is on ${now ?? "one"}`;
  return new GitError("moved", `${where}: switch it back`, { moved: { expected: parent, found } });
}
