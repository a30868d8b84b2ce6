import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { readHead } from "../../read/refs/head-file.ts";
import { branchRef } from "../../read/refs/refs.ts";
import { listWorktrees } from "../../read/refs/worktree-list.ts";
import { GitError } from "../../run/errors.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { git } from "../../run/run.ts";

/** The work trees that have the branch checked out; there can be several, if a person insists. */
export async function treesOn(location: RepoLocation, ref: string): Promise<RepoLocation[]> {
  if (await isOnNone(location, ref)) return [];
  const found = new Map<string, RepoLocation>();
  if ((await branchRef(location)) === ref) found.set(location.gitDir, location);
  for (const { path, kind, branch, prunable } of await listWorktrees(location)) {
    if (kind === "bare" || prunable !== null || `refs/heads/${branch}` !== ref || path === location.root) continue;
    if (!(await stat(path).catch(() => null))) throw unreachable(ref, path);
    const gitDir = (await git({ cwd: path, args: ["rev-parse", "--absolute-git-dir"] })).replace(/\n$/, "");
    if (!found.has(gitDir)) found.set(gitDir, { ...location, root: path, gitDir });
  }
  return [...found.values()];
}

/** Whether every HEAD says that it is on something else; what is not certain is a question for git. */
async function isOnNone(location: RepoLocation, ref: string): Promise<boolean> {
  for (const gitDir of await homesOf(location)) {
    const { branch } = await readHead({ ...location, gitDir });
    if (branch === "unknown" || branch === ref) return false;
  }
  return true;
}

/** Git's own folders of all work trees. */
async function homesOf({ commonDir }: RepoLocation): Promise<string[]> {
  const linked = await readdir(join(commonDir, "worktrees")).catch(() => []);
  return [commonDir, ...linked.map((name) => join(commonDir, "worktrees", name))];
}

function unreachable(ref: string, path: string): GitError {
  return new GitError("worktree-taken", `${ref} is checked out in ${path}${OUT_OF_REACH}`);
}

/** Only its owner knows whether such a worktree is gone, moved, or on a disk that is not mounted. */
export const OUT_OF_REACH =
  ", which does not exist: restore it (git worktree repair, if it was moved), or remove it with git worktree remove";

/** A rebase puts its branch where it wants at its end, and fails if that has moved. */
export async function refuseRebase(location: RepoLocation, ref: string): Promise<void> {
  for (const home of await homesOf(location)) {
    for (const kind of ["rebase-merge", "rebase-apply"]) {
      const rebased = await readFile(join(home, kind, "head-name"), "utf8").catch(() => "");
      if (rebased.trim() !== ref) continue;
      throw new GitError("unmerged", `${ref} is being rebased: finish the rebase, or run git rebase --abort`);
    }
  }
}
