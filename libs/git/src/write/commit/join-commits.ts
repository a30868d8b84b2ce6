import { failpoint } from "@anneal/system/failpoint";
import { isAncestor, resolveCommit } from "../../read/refs/refs.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { type CommitRequest, commitObject, identityOf, isSigning } from "./commit-object.ts";
import { mergeTrees } from "./merge.ts";

export interface JoinRequest extends Omit<CommitRequest, "signal"> {
  commits: readonly string[];
}

/** `conflicts` names the files in which `commit` does not go together with those before it. */
export type Joined = { commit: string } | { commit: string; conflicts: string[] };

/** A commit that holds all of these, merged one after another. No ref moves, and the same request makes the same commit. */
export async function joinCommits(
  location: RepoLocation,
  { commits, message, ...request }: JoinRequest,
): Promise<Joined> {
  const [first, ...rest] = await Promise.all(commits.map((commit) => resolveCommit(location, commit)));
  if (first === undefined) throw new Error("there is nothing to join");
  const identity = await identityOf(location, request);
  const signing = await isSigning(location);
  let head = first;
  for (const next of rest) {
    if (await isAncestor(location, next, head)) continue;
    if (await isAncestor(location, head, next)) {
      head = next;
      continue;
    }
    const tree = await mergeTrees(location, head, next);
    if (typeof tree !== "string") return { commit: next, conflicts: tree.conflicts };
    const text = message.endsWith("\n") ? message : `${message}\n`;
    failpoint("git.join.before");
    head = await commitObject(
      location,
      { tree, parent: head, merged: next, branch: null, message: text, ...identity },
      signing,
    );
    failpoint("git.join.after");
  }
  return { commit: head };
}
