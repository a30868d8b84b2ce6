import { failpoint } from "../failpoint.ts";
import { GitError } from "./errors.ts";
import { changeGit } from "./locks.ts";
import type { Place } from "./place.ts";
import { serialised } from "./queue.ts";
import { isRefName } from "./refs.ts";
import { git } from "./run.ts";

const HOME = "refs/anneal/";

/** Keeps a tree or commit from git's garbage collection under a name of ours, such as refs/anneal/trees/7/fix-1. */
export function keepTree(place: Place, ref: string, tree: string): Promise<void> {
  return serialised(place.commonDir, async () => {
    await refuseForeign(place, ref);
    failpoint("git.keep.before");
    await changeGit(place, { args: ["update-ref", "--no-deref", ref, tree] });
    failpoint("git.keep.after");
  });
}

/** Lets go of everything under a name of ours, whole parts only: refs/anneal/trees/7 does not mean …/70. */
export function dropKept(place: Place, prefix: string): Promise<void> {
  return serialised(place.commonDir, async () => {
    const folder = prefix.replace(/\/+$/, "");
    await refuseForeign(place, folder);
    const listed = await git({ cwd: place.root, args: ["for-each-ref", "--format=%(refname)", folder] });
    const refs = listed.split("\n").filter(Boolean);
    if (refs.length === 0) return;
    failpoint("git.drop.before");
    const input = refs.map((ref) => `delete ${ref}\n`).join("");
    await changeGit(place, { args: ["update-ref", "--no-deref", "--stdin"], input });
    failpoint("git.drop.after");
  });
}

/** A name outside our own folder could be a branch of the user. */
async function refuseForeign({ root }: Place, ref: string): Promise<void> {
  if (!ref.startsWith(HOME) || !(await isRefName(root, ref)))
    throw new GitError("failed", `${ref} is not a name under ${HOME}`);
}
