import { failpoint } from "@anneal/system/failpoint";
import { localBranch, refValue, resolveCommit } from "../../read/refs/refs.ts";
import { branchInTheWay, GitError } from "../../run/errors.ts";
import { tryChange } from "../../run/locks.ts";
import { serialised } from "../../run/queue.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { treesOn } from "./checked-out.ts";
import { movedAway } from "./follow-branch.ts";

export interface BranchUpdate {
  /** The full or the short name. */
  branch: string;
  /** Where it stands now; null where there is none. */
  from: string | null;
  to: string;
}

/** Makes a branch, or puts one elsewhere that no work tree has checked out. One that stands there already is fine. */
export function updateBranch(location: RepoLocation, { branch, from, to }: BranchUpdate): Promise<void> {
  return serialised(location.commonDir, async () => {
    const ref = await localBranch(location, branch);
    const target = await resolveCommit(location, to);
    const stands = await refValue(location, ref);
    if (stands === target) return;
    if (stands !== from) throw movedAway(ref, from ?? "no commit", stands);
    const [tree] = from === null ? [] : await treesOn(location, ref);
    if (tree !== undefined) {
      throw new GitError("worktree-taken", `${branch} is checked out in ${tree.root}: switch to another branch there`);
    }
    failpoint("git.place.before");
    const old = from ?? "0".repeat(target.length);
    const args = ["update-ref", "--no-deref", "-m", "placed for a new loop", ref, target, old];
    const result = await tryChange(location, { args });
    if (result.code !== 0) {
      const stands = await refValue(location, ref);
      throw branchInTheWay(result.stderr) ?? movedAway(ref, from ?? "no commit", stands, result.stderr);
    }
    failpoint("git.place.after");
  });
}
