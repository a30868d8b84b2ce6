import type { Repo } from "@anneal/adapters/git";
import { UsageError } from "../errors.ts";

/**
 * A new loop starts its branch at the base. Work of an earlier loop on it is kept under refs/anneal/kept; commits that
 * no loop made are somebody's own, and the branch is refused.
 */
export async function freeBranch(
  repo: Repo,
  { branch, base, item, earlierLoops }: { branch: string; base: string; item: string; earlierLoops: number },
): Promise<void> {
  const tip = await tipOf(repo, branch);
  if (tip === null || (await repo.mergeBase(base, tip)) === tip) return;
  if (earlierLoops === 0) {
    throw new UsageError(
      `the branch ${branch} holds commits of its own, which a new loop would drop; give ${item} another branchName, or merge it first`,
    );
  }
  await repo.keepTree(`refs/anneal/kept/${item}/${earlierLoops}`, tip);
}

async function tipOf(repo: Repo, branch: string): Promise<string | null> {
  try {
    return await repo.resolve(`refs/heads/${branch}`);
  } catch {
    return null;
  }
}
