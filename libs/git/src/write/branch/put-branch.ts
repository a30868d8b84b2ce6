import { failpoint } from "@anneal/system/failpoint";
import { localBranch, refValue, resolveCommit } from "../../read/refs/refs.ts";
import { branchInTheWay, GitError } from "../../run/errors.ts";
import { tryChange } from "../../run/locks.ts";
import { serialised } from "../../run/queue.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { treesOn } from "./checked-out.ts";
import { movedAway } from "./follow-branch.ts";

export interface BranchPlacing {
  /** The full or the short name. */
  branch: string;
  /** Where it stands now; null where there is none. */
  from: string | null;
  to: string;
}

/** Makes a branch, or puts one elsewhere that no work tree has checked out. One that stands there already is fine. */
export function placeBranch(place: RepoLocation, { branch, from, to }: BranchPlacing): Promise<void> {
  return serialised(place.commonDir, async () => {
    const ref = await localBranch(place, branch);
    const target = await resolveCommit(place, to);
    const stands = await refValue(place, ref);
    if (stands === target) return;
    if (stands !== from) throw movedAway(ref, from ?? "no commit", stands);
    const [tree] = from === null ? [] : await treesOn(place, ref);
    if (tree !== undefined) {
      throw new GitError("worktree-taken", `${branch} is checked out in ${tree.root}: switch to another branch there`);
    }
    failpoint("git.place.before");
    const old = from ?? "0".repeat(target.length);
    const args = ["update-ref", "--no-deref", "-m", "placed for a new loop", ref, target, old];
    const result = await tryChange(place, { args });
    if (result.code !== 0) {
      const stands = await refValue(place, ref);
      throw branchInTheWay(result.stderr) ?? movedAway(ref, from ?? "no commit", stands, result.stderr);
    }
    failpoint("git.place.after");
  });
}
