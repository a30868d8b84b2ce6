import { GitError, type Repo } from "@anneal/git";
import { keyOfRow } from "../../history/item-key.ts";
import type { ProjectStore } from "../../history/store-log.ts";
import { defaultBranchOf, epicBranches } from "../../workspaces/default-branch.ts";
import { pullRequestTerms } from "../pull-request/forge.ts";

/** Says of a branch that it cannot be an item's own, as in `main, which other work is merged into`; null where it can. */
export type WhyTaken = (branch: string, key: string) => string | null;

/** What everybody takes for a branch that work is merged into, whatever the remote's default is. */
const BY_NAME = ["main", "master"];

/**
 * A loop commits to its item's branch before anything is reviewed, and pushes it: so a branch that takes work in is no item's own,
 * nor is one that another item is worked on. Names are compared without capitals, which some file systems do not tell apart.
 */
export async function takenBranches(place: { repo: Repo; store: ProjectStore | null }): Promise<WhyTaken> {
  const { repo, store } = place;
  const { base } = await pullRequestTerms(repo.root);
  const taking = [...BY_NAME, ...(await defaultIn(place)), ...(base === undefined ? [] : [base])];
  const closed = new Set([...taking, ...(store === null ? [] : takenByLoops(store))].map((name) => name.toLowerCase()));
  const open = store?.loops({ open: true }) ?? [];
  return (branch, key) => {
    const name = branch.toLowerCase();
    // Git takes both for one, and whatever compares names does not.
    if (name.startsWith("refs/")) return `${branch}, which is not a short branch name`;
    if (closed.has(name)) return `${branch}, which other work is merged into`;
    const other = open.find((row) => row.summary.branch?.toLowerCase() === name && keyOfRow(row) !== key);
    return other === undefined ? null : `${branch}, which ${keyOfRow(other)} is working on`;
  };
}

function takenByLoops(store: ProjectStore): string[] {
  const own = new Set(
    store.branches().flatMap(({ kind, branch }) => (kind === "branch" ? [] : [branch.toLowerCase()])),
  );
  // What is stacked goes into the branch of another item, which stays that item's own.
  return [...epicBranches(store), ...store.targets().filter((name) => !own.has(name.toLowerCase()))];
}

/** Where nothing says which branch it is, a base has to be named, and is looked at as that. */
async function defaultIn(place: { repo: Repo; store: ProjectStore | null }): Promise<string[]> {
  try {
    return [(await defaultBranchOf(place)).replace(/^origin\//, "")];
  } catch (error) {
    if (error instanceof GitError && (error.kind === "no-default-branch" || error.kind === "no-commits")) return [];
    throw error;
  }
}
