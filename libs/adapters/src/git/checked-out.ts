import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { GitError } from "./errors.ts";
import type { Place } from "./place.ts";
import { branchRef } from "./refs.ts";
import { git } from "./run.ts";
import { listWorktrees } from "./worktree-list.ts";

/** The work trees that have the branch checked out; there can be several, if a person insists. */
export async function treesOn(place: Place, ref: string): Promise<Place[]> {
  const found = new Map<string, Place>();
  if ((await branchRef(place)) === ref) found.set(place.gitDir, place);
  for (const { path, kind, branch, prunable } of await listWorktrees(place)) {
    if (kind === "bare" || prunable !== null || `refs/heads/${branch}` !== ref || path === place.root) continue;
    if (!(await stat(path).catch(() => null))) throw unreachable(ref, path);
    const gitDir = (await git({ cwd: path, args: ["rev-parse", "--absolute-git-dir"] })).replace(/\n$/, "");
    if (!found.has(gitDir)) found.set(gitDir, { ...place, root: path, gitDir });
  }
  return [...found.values()];
}

function unreachable(ref: string, path: string): GitError {
  const advice = "make it reachable, or remove it with git worktree remove";
  return new GitError("worktree-taken", `${ref} is checked out in ${path}, which is not there: ${advice}`);
}

/** A rebase puts its branch where it wants at its end, and fails if that has moved. */
export async function refuseRebase({ commonDir }: Place, ref: string): Promise<void> {
  const linked = await readdir(join(commonDir, "worktrees")).catch(() => []);
  for (const home of [commonDir, ...linked.map((name) => join(commonDir, "worktrees", name))]) {
    for (const kind of ["rebase-merge", "rebase-apply"]) {
      const rebased = await readFile(join(home, kind, "head-name"), "utf8").catch(() => "");
      if (rebased.trim() !== ref) continue;
      throw new GitError("unmerged", `${ref} is being rebased: finish it, or git rebase --abort`);
    }
  }
}
