import { leftBy, reviewedHead } from "@anneal/core";
import type { Repo } from "@anneal/git";
import type { LoopEvent, LoopState, PullRequestRef } from "@anneal/types";
import { isPartOf } from "../../work/part-of.ts";
import { isMissing, refusedBy } from "./rate-limit.ts";

/** Why a loop that has delivered is held, and whether a retry delivers anew. */
export type HoldReason = Pick<Extract<LoopEvent, { type: "delivery-held" }>, "detail" | "anew">;

/**
 * What became of a pull request's branch, where it is not at the head that the loop pushed; null where it is. The remote itself
 * is asked: the forge's own books may be behind a push for a while.
 */
export async function movedPullBranch(
  repo: Repo,
  { remote, branch, number }: { remote: string; branch: string; number: number },
  loop: LoopState,
): Promise<HoldReason | null> {
  const head = leftBy(loop);
  const there = await repo.remoteHead(remote, branch);
  if (there === head) return null;
  const its = `the branch of pull request ${number}`;
  const again = "find out why; retry pushes the reviewed head again";
  if (there === null) return { detail: `${its} is gone: ${again}`, anew: true };
  if (await isPartOf(repo, reviewedHead(loop, there), head))
    return { detail: `${its} was reset to ${there}: ${again}`, anew: true };
  return { detail: `someone else pushed ${there} to pull request ${number}: check that commit, then use take-over` };
}

/** The same for what a forge says no to; what may pass by itself is thrown on. */
export function heldBy(error: unknown, pr: PullRequestRef): HoldReason {
  return isMissing(error) ? missing(pr) : { detail: refusedBy(error) };
}

export function missing({ number }: PullRequestRef): HoldReason {
  return { detail: `pull request ${number} does not exist any more: find out why; retry opens a new one`, anew: true };
}
