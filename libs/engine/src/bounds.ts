import type { Repo } from "@anneal/adapters/git";
import type { ChangeBounds } from "@anneal/types";
import { NothingToReview, UsageError } from "./errors.ts";

/** Which change to judge, as a person says it. */
export interface Selection {
  base?: string;
  head?: string;
  /** Judge what is staged, or all of the working tree, instead of a commit. */
  uncommitted?: "staged" | "worktree";
}

export interface Bounded {
  bounds: ChangeBounds;
  /** The two ends in words. */
  baseLabel: string;
  headLabel: string;
}

/** Finds the two ends of the change; two ends with the same files are no change. */
export async function boundsOf(repo: Repo, selection: Selection): Promise<Bounded> {
  const { uncommitted: what } = selection;
  const found = what === undefined ? await committed(repo, selection) : await uncommitted(repo, what, selection.base);
  const { base, head } = found.bounds;
  if (base === head || (await repo.treeOf(base)) === (await repo.treeOf(head))) {
    const ways = what === undefined ? " (name another --base, or use --staged or --worktree)" : "";
    throw new NothingToReview(
      `nothing to review: ${found.headLabel} holds nothing that ${found.baseLabel} does not have${ways}`,
    );
  }
  return found;
}

async function committed(repo: Repo, { base, head = "HEAD" }: Selection): Promise<Bounded> {
  if (head === "HEAD" && (await repo.headCommit()) === null) {
    throw new UsageError("this repository has no commits yet: commit first, or review with --staged or --worktree");
  }
  const headCommit = await repo.resolve(head);
  const baseLabel = base ?? (await repo.defaultBranch());
  const baseCommit = await repo.mergeBase(await repo.resolve(baseLabel), headCommit);
  const headLabel = head === "HEAD" ? ((await repo.branchName()) ?? "detached HEAD") : head;
  return { bounds: { base: baseCommit, head: headCommit, headKind: "commit" }, baseLabel, headLabel };
}

async function uncommitted(repo: Repo, what: "staged" | "worktree", base: string | undefined): Promise<Bounded> {
  const tree = what === "staged" ? await repo.stagedTree() : await repo.worktreeTree();
  const from = base === undefined ? await repo.headCommit() : await repo.resolve(base);
  const headLabel = what === "staged" ? "staged changes" : "working tree";
  return {
    bounds: { base: from ?? (await repo.emptyTree()), head: tree, headKind: "tree" },
    baseLabel: base ?? (from === null ? "nothing (no commits yet)" : "HEAD"),
    headLabel,
  };
}
