import type { Workspaces } from "@anneal/workspace";
import type { Baseline } from "./baseline.ts";
import { runSetup, type SetupRequest } from "./setup.ts";

/** Workspaces of baselines begin with this; one that is left after a kill can be removed by it. */
export const BASELINE_NAME = "baseline-";

/** Gives baselines a workspace of their own: clean, set up, and removed afterwards. */
export function baselineCheckouts(workspaces: Workspaces, setup: SetupRequest): Baseline["checkout"] {
  return async (commit, signal) => {
    const name = `${BASELINE_NAME}${commit.slice(0, 12)}`;
    const release = () => workspaces.remove(name);
    try {
      const tree = await workspaces.copyAt(name, commit);
      const done = await runSetup(tree, signal ? { ...setup, signal } : setup);
      if (done.result === "failed") throw new Error(`the set-up failed: ${done.failed}`);
      return { root: tree.root, release };
    } catch (error) {
      await release().catch(() => {});
      throw error;
    }
  };
}
