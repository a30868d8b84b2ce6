import { branchRef } from "../../read/refs/refs.ts";
import { changeGit } from "../../run/locks.ts";
import type { RepoLocation } from "../../run/repo-location.ts";

/** Whether HEAD names what the workspace is for; a work tree that nobody asked for is on its branch, whichever that is. */
export async function isOnOwn({ own, ...location }: RepoLocation): Promise<boolean> {
  return own === undefined || (await branchRef(location)) === ownRef(own);
}

/**
 * Puts HEAD back to what the workspace is for, where somebody switched it: files and index stay as they are, and so does the
 * branch that was checked out instead. `head` is where a detached head goes.
 */
export async function toOwnBranch(location: RepoLocation, head: string): Promise<void> {
  if (location.own === undefined || (await isOnOwn(location))) return;
  const { branch } = location.own;
  if (branch === null) return void (await changeGit(location, { args: ["update-ref", "--no-deref", "HEAD", head] }));
  await changeGit(location, { args: ["symbolic-ref", "-m", "back to its own branch", "HEAD", `refs/heads/${branch}`] });
}

function ownRef({ branch }: { branch: string | null }): string | null {
  return branch === null ? null : `refs/heads/${branch}`;
}
