import { leftBy } from "@anneal/core";
import type { Repo } from "@anneal/git";
import type { ItemRef } from "@anneal/types";
import { UsageError } from "../errors/errors.ts";
import { folderOf, keptRef, keyOf } from "../history/item-key.ts";
import { historyOf, type LoopHistory, loopsOf } from "../history/loop-history.ts";
import type { ProjectParts } from "../items/prepare.ts";
import { isPartOf } from "../work/part-of.ts";
import { foreignCommits } from "./left-by-loops.ts";

interface BranchStartArgs {
  item: ItemRef;
  branch: string;
  base: string;
  /** What a person can do about a branch that is not free. */
  instead?: string;
}

/** Where a new loop begins on its item's branch. */
export interface BranchStart {
  base: string;
  /** Null where it is built from the base; else the branch is reviewed as it stands. */
  head: string | null;
}

/**
 * A new loop builds on the base, and what earlier loops left on its branch is kept under refs/anneal/kept. Commits that no
 * loop made are somebody's own and never built over: after a take-over they are reviewed as they stand, else refused.
 */
export async function branchStart(
  { repo, store }: Pick<ProjectParts, "repo"> & { store: ProjectParts["store"] | null },
  { item, branch, base, instead = `give ${item.id} another branchName, or merge it first` }: BranchStartArgs,
): Promise<BranchStart> {
  const tip = await tipOf(repo, branch);
  if (tip === null || (await isPartOf(repo, tip, base))) return { base, head: null };
  const loops = store === null ? [] : loopsOf(store, item).map((row) => historyOf(store, row));
  const strange = await foreignCommits(repo, { tip, base }, loops);
  const last = loops.at(-1);
  if (last !== undefined && isTakenOver(last)) {
    const left = leftBy(last.state);
    if (strange.length > 0 || tip !== left) {
      refuseHalfBuilt(item, branch, last);
      // A forge may have it: what comes now may replace it there.
      await repo.keepTree(keptRef(folderOf(item), loops.length), left);
      return { base: await repo.mergeBase(base, tip), head: tip };
    }
  }
  if (strange.length === 0) {
    await repo.keepTree(keptRef(folderOf(item), loops.length), tip);
    return { base, head: null };
  }
  const reviewed = loops.length === 0 ? "" : `; to review them as they are, check out ${branch} and run anneal loop`;
  throw new UsageError(
    `the branch ${branch} has commits that a new loop would drop (${shorts(strange)}); ${instead}${reviewed}`,
  );
}

/** Nobody could tell which of the parts that are left a person has built. */
function refuseHalfBuilt(item: ItemRef, branch: string, { state }: LoopHistory): void {
  if (state.tasks.length === 0) return;
  const ways = `finish and merge ${branch} by hand, or rename it with git branch -m ${branch} NAME to rebuild everything`;
  throw new UsageError(`${keyOf(item)} was taken over before its last task was built: ${ways}`);
}

/** A person took the item over when its loop ended: what is on the branch since is theirs to have reviewed. */
export function isTakenOver({ state }: Pick<LoopHistory, "state">): boolean {
  return state.stage === "ended" && state.outcome === "blocked";
}

/** The message when a loop begins on a person's commits. */
export function asItStands({ kind, id }: ItemRef, branch: string): string {
  return `${branch} was changed after ${keyOf({ kind, id })} was taken over: it is reviewed as it is, without another implementation`;
}

function shorts(commits: readonly string[]): string {
  const [first = "", ...more] = commits.map((commit) => commit.slice(0, 12));
  return more.length === 0 ? first : `${first} and ${more.length} more`;
}

async function tipOf(repo: Repo, branch: string): Promise<string | null> {
  try {
    return await repo.resolve(`refs/heads/${branch}`);
  } catch {
    return null;
  }
}
