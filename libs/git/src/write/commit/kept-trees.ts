import { failpoint } from "@anneal/system/failpoint";
import { isRefName } from "../../read/refs/refs.ts";
import { GitError } from "../../run/errors.ts";
import { changeGit } from "../../run/locks.ts";
import { serialised } from "../../run/queue.ts";
import type { RepoLocation } from "../../run/repo-location.ts";

const HOME = "refs/anneal/";

/** Keeps a tree or commit from git's garbage collection under a name of ours, such as refs/anneal/trees/7/fix-1. */
export function keepTree(location: RepoLocation, ref: string, tree: string): Promise<void> {
  return serialised(location.commonDir, async () => {
    await refuseForeign(location, ref);
    failpoint("git.keep.before");
    await changeGit(location, { args: ["update-ref", "--no-deref", ref, tree] });
    failpoint("git.keep.after");
  });
}

/** A name outside our own folder could be a branch of the user. */
async function refuseForeign({ root }: RepoLocation, ref: string): Promise<void> {
  if (!ref.startsWith(HOME) || !(await isRefName(root, ref)))
    throw new GitError("failed", `${ref} is not a name under ${HOME}`);
}
