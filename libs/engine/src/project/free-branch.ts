import type { Repo } from "@anneal/adapters/git";
import { UsageError } from "../errors.ts";

interface FreeBranchArgs {
  branch: string;
  base: string;
  item: string;
  earlierLoops: number;
  /** What a person can do about a branch that is not free. */
  instead?: string;
}

/**
 * A new loop starts its branch at the base. Work of an earlier loop on it is kept under refs/anneal/kept; commits that
 * no loop made are somebody's own, and the branch is refused.
 */
export async function freeBranch(
  repo: Repo,
  { branch, base, item, earlierLoops, instead = `give ${item} another branchName` }: FreeBranchArgs,
): Promise<void> {
  const tip = await tipOf(repo, branch);
  if (tip === null || (await repo.mergeBase(base, tip)) === tip) return;
  if (earlierLoops === 0) {
    throw new UsageError(
      `the branch ${branch} holds commits of its own, which a new loop would drop; ${instead}, or merge it first`,
    );
  }
  await repo.keepTree(keptRef(item, earlierLoops), tip);
}

/** Where the work of an item's n-th loop is kept once another one starts anew. */
export function keptRef(item: string, loop: number): string {
  return `refs/anneal/kept/${item}/${loop}`;
}

async function tipOf(repo: Repo, branch: string): Promise<string | null> {
  try {
    return await repo.resolve(`refs/heads/${branch}`);
  } catch {
    return null;
  }
}
