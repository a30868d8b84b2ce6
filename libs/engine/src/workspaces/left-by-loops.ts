import type { Repo } from "@anneal/git";
import type { CommitPlan } from "@anneal/types";
import type { LoopHistory } from "../history/loop-history.ts";

/** The commits of a branch that no loop of its item made, oldest first. */
export async function foreignCommits(
  repo: Pick<Repo, "commitsSince" | "resolve" | "treeOf">,
  { tip, base }: { tip: string; base: string },
  loops: readonly Pick<LoopHistory, "started" | "events">[],
): Promise<string[]> {
  const made = new Set<string>();
  const planned: CommitPlan[] = [];
  for (const { event } of loops.flatMap(({ events }) => events)) {
    if (event.type === "committed") made.add(event.head);
    if (event.type === "commit-prepared") planned.push(event.plan);
  }
  let commits = (await repo.commitsSince(base, tip)).filter((commit) => !made.has(commit));
  // What a loop was built on is not an addition, though the base may be another one by now.
  for (const { base: from } of loops.map(({ started }) => started)) {
    const since = await repo.commitsSince(from, tip).catch(() => null);
    if (since !== null) commits = commits.filter((commit) => since.includes(commit));
  }
  const strange: string[] = [];
  for (const commit of commits) if (!(await isPlanned(repo, commit, planned))) strange.push(commit);
  return strange;
}

/** A commit may be made and not be on record yet when its loop is ended. */
async function isPlanned(
  repo: Pick<Repo, "resolve" | "treeOf">,
  commit: string,
  plans: readonly CommitPlan[],
): Promise<boolean> {
  if (plans.length === 0) return false;
  const [tree, parent] = await Promise.all([repo.treeOf(commit), repo.resolve(`${commit}^`).catch(() => null)]);
  return plans.some((plan) => plan.tree === tree && plan.parent === parent);
}
