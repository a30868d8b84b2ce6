import type { RepoLocation } from "../../run/repo-location.ts";
import { commitObject } from "./commit-object.ts";

/** On no branch and never pushed; the same tree on the same parent is the same commit. */
const PLAIN = {
  branch: null,
  message: "What is not committed yet\n",
  author: { name: "Anneal", email: "anneal@localhost" },
  date: "0 +0000",
};

/** A commit that holds a tree, so that it can be checked out. No ref moves, and git drops it in time. */
export function treeAsCommit(location: RepoLocation, tree: string, parent: string | null): Promise<string> {
  return commitObject(location, { ...PLAIN, tree, parent }, false);
}
