import type { Repo } from "@anneal/git";
import type { Feature } from "@anneal/types";
import { loopsOf } from "../history/loop-history.ts";
import type { ProjectStore } from "../history/store-log.ts";
import { isPartOf } from "../work/part-of.ts";

/** What there is to review of a feature that another tool has put into `code_review`. */
export type HandedOver = { base: string; head: string } | { missing: string };

/**
 * The commits of a feature that says `code_review` and never had a loop of ours: somebody else has built it, and they are
 * reviewed as they stand. Null for every other feature.
 */
export async function handedOver(
  { repo, store }: { repo: Repo; store: ProjectStore },
  { id, status }: Pick<Feature, "id" | "status">,
  { branch, into, base }: { branch: string; into: string; base: string },
): Promise<HandedOver | null> {
  if (status !== "code_review" || loopsOf(store, { kind: "feature", id }).length > 0) return null;
  const tip = await repo.resolve(`refs/heads/${branch}`).catch(() => null);
  if (tip === null) return { missing: `there is no branch ${branch}: commit the work there, or set its "branchName"` };
  if (await isPartOf(repo, tip, base))
    return { missing: `the branch ${branch} has no commits that ${into} does not have: commit the work there` };
  return { base: await repo.mergeBase(base, tip), head: tip };
}
