import type { Repo } from "../git/index.ts";
import type { Baseline } from "./baseline.ts";
import { runSetup, type SetupRequest } from "./setup.ts";

/** Folders of baselines begin with this; one that is left after a kill can be removed by it. */
export const BASELINE_FOLDER = ".worktrees/baseline-";

/** Gives baselines a worktree of their own: clean, set up, and removed afterwards. */
export function baselineWorktrees(repo: Repo, setup: SetupRequest): Baseline["checkout"] {
  return async (commit, signal) => {
    const path = `${BASELINE_FOLDER}${commit.slice(0, 12)}`;
    const tree = await repo.addWorktree({ path, branch: null, startPoint: commit });
    const release = () => repo.removeWorktree(path);
    try {
      await tree.resetTo(commit);
      const done = await runSetup(tree, signal ? { ...setup, signal } : setup);
      if (done.result === "failed") throw new Error(`the set-up failed: ${done.failed}`);
      return { root: tree.root, commonDir: tree.commonDir, release };
    } catch (error) {
      await release().catch(() => {});
      throw error;
    }
  };
}
