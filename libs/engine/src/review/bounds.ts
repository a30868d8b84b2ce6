import type { Repo } from "@anneal/git";
import type { ChangeBounds } from "@anneal/types";
import { NothingToReview, UsageError } from "../errors/errors.ts";

/** Which change to judge, as a person says it. */
export interface Selection {
  base?: string;
  head?: string;
  /** Judge what is staged, or all of the working tree, instead of a commit. */
  uncommitted?: "staged" | "worktree";
}

export interface LabelledBounds {
  bounds: ChangeBounds;
  /** The two ends in words. */
  baseLabel: string;
  headLabel: string;
}

/** Finds the two ends of the change; two ends with the same files are no change. */
export async function boundsOf(repo: Repo, selection: Selection): Promise<LabelledBounds> {
  const { uncommitted: what } = selection;
  const found = what === undefined ? await committed(repo, selection) : await uncommitted(repo, what, selection.base);
  const { base, head } = found.bounds;
  if (base === head || (await repo.sameTree(base, head))) throw new NothingToReview(nothing(found, what));
  return found;
}

function nothing({ baseLabel, headLabel }: LabelledBounds, what: Selection["uncommitted"]): string {
  if (what === "staged") return `nothing to review: nothing is staged against ${baseLabel} (git add stages files)`;
  if (what === "worktree") return `nothing to review: the working tree does not differ from ${baseLabel}`;
  const ways = "(name another --base, or use --staged or --worktree)";
  return `nothing to review: ${headLabel} adds nothing to ${baseLabel} ${ways}`;
}

async function committed(repo: Repo, { base, head = "HEAD" }: Selection): Promise<LabelledBounds> {
  const headCommit = head === "HEAD" ? await repo.headCommit() : await repo.resolve(head);
  if (headCommit === null) {
    throw new UsageError("this repository has no commits yet: commit first, or review with --staged or --worktree");
  }
  const [baseLabel, headLabel] = await Promise.all([
    base ?? repo.defaultBranch(),
    head === "HEAD" ? repo.branchName() : head,
  ]);
  const baseCommit = await repo.mergeBase(baseLabel, headCommit);
  const bounds: ChangeBounds = { base: baseCommit, head: headCommit, headKind: "commit" };
  return { bounds, baseLabel, headLabel: headLabel ?? "detached HEAD" };
}

async function uncommitted(repo: Repo, what: "staged" | "worktree", base: string | undefined): Promise<LabelledBounds> {
  const tree = what === "staged" ? await repo.stagedTree() : await repo.worktreeTree();
  const from = base === undefined ? await repo.headCommit() : await repo.resolve(base);
  const headLabel = what === "staged" ? "staged changes" : "working tree";
  return {
    bounds: { base: from ?? (await repo.emptyTree()), head: tree, headKind: "tree" },
    baseLabel: base ?? (from === null ? "an empty repository" : "HEAD"),
    headLabel,
  };
}
