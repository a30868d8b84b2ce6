import { isAgentAddress } from "./agent-mark.ts";
import { GitError } from "./errors.ts";
import { isHeadDamaged } from "./head-damage.ts";
import { lastCommit } from "./last-logged.ts";
import { changeGit } from "./locks.ts";
import type { Place } from "./place.ts";
import { branchRef, headCommit, refValue } from "./refs.ts";
import { git } from "./run.ts";
import { listWorktrees } from "./worktree-list.ts";

/** Whether HEAD names what the worktree is for; a work tree that nobody asked for is on its branch, whichever that is. */
export async function isOnOwn(place: Place): Promise<boolean> {
  return place.own === undefined || (await branchRef(place)) === ownRef(place.own);
}

/**
 * Puts HEAD back to what the worktree is for, where somebody switched it: files and index stay as they are, and so does the
 * branch that was checked out instead. `head` is where a detached head goes.
 */
export async function toOwnBranch(place: Place, head: string): Promise<void> {
  if (place.own === undefined || (await isOnOwn(place))) return;
  const { branch } = place.own;
  if (branch === null) return void (await changeGit(place, { args: ["update-ref", "--no-deref", "HEAD", head] }));
  const elsewhere = (await listWorktrees(place)).find((one) => one.branch === branch && one.path !== place.root);
  if (elsewhere !== undefined) {
    throw new GitError(
      "worktree-taken",
      `the branch ${branch} is checked out in ${elsewhere.path}: switch to another branch there first`,
    );
  }
  await changeGit(place, { args: ["symbolic-ref", "-m", "back to its own branch", "HEAD", `refs/heads/${branch}`] });
}

/** The commits that a reset here would drop: where its own branch stands, and a head that is on none, or was before it was damaged. */
export async function atStake(place: Place): Promise<string[]> {
  const [found, branch] = (await isHeadDamaged(place))
    ? [null, null]
    : await Promise.all([headCommit(place), branchRef(place)]);
  // A branch without a commit leads to nothing, so that what HEAD was at before may have no other name.
  const at = found ?? (await lastCommit(place));
  const ref = ownRef(place.own ?? { branch: null });
  const isOwn = place.own === undefined || branch === null || branch === ref || found === null;
  const tips = [...(isOwn ? [at] : []), ...(ref === null || branch === ref ? [] : [await refValue(place, ref)])];
  return [...new Set(tips.filter((tip) => tip !== null))];
}

/** Whether every commit beyond a head was made by the git of an agent, or is kept already. */
export async function isByAgents({ root }: Place, commit: string, head: string): Promise<boolean> {
  const range = ["--not", "--glob=refs/anneal/kept", "--not", "--end-of-options", commit, `^${head}`];
  const listed = await git({ cwd: root, args: ["log", "--no-show-signature", "--format=%ce", ...range] });
  return listed.split("\n").filter(Boolean).every(isAgentAddress);
}

function ownRef({ branch }: { branch: string | null }): string | null {
  return branch === null ? null : `refs/heads/${branch}`;
}
