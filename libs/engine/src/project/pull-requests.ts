import type { LoopEvent } from "@anneal/types";
import type { Delivery } from "../loop-work.ts";
import type { ProjectParts } from "./prepare.ts";
import { connect } from "./pull-requests-forge.ts";
import { lastHeard, unanswered } from "./pull-requests-heard.ts";
import { mergePullRequest } from "./pull-requests-merge.ts";
import { type Opening, openPullRequest, type PullRequestJob } from "./pull-requests-open.ts";
import { patiently } from "./pull-requests-patience.ts";

export {
  allowPush,
  connect,
  type ForgePlace,
  featureChoice,
  mayPush,
  targetOf,
} from "./pull-requests-forge.ts";
export { openPullRequest, type PullRequestJob } from "./pull-requests-open.ts";

type DeliveryParts = Pick<ProjectParts, "repo" | "store" | "clock">;

/** The way of a loop's change to its pull request and through it; what the forge says meanwhile comes as a message. */
export function pullRequestDelivery(
  parts: DeliveryParts,
  { loopId, ...job }: Omit<PullRequestJob, "name" | "unanswered"> & { loopId: string },
): Delivery {
  return {
    async "opening-pr"(state, signal) {
      const over = await alreadyOver(parts, state, signal);
      if (over !== null) return over;
      const said = unanswered(parts.store.events(loopId));
      return await openPullRequest(parts, { ...job, name: loopId, unanswered: said }, state, signal);
    },
    merging: (state, signal) =>
      mergePullRequest(parts, { policy: job.policy, heard: lastHeard(parts.store.events(loopId)) }, state, signal),
  };
}

/** Somebody merged or closed it while the loop was at work: nothing is pushed any more. */
async function alreadyOver(
  { repo, clock }: DeliveryParts,
  { pr, head }: Opening,
  signal: AbortSignal,
): Promise<LoopEvent | null> {
  if (pr === null) return null;
  const place = await connect(repo, clock);
  if ("none" in place) return null;
  const { state } = await patiently(clock, signal, () => place.forge.get(pr.number));
  if (state === "open") return null;
  const report = { status: "complete", claim: null, findings: [], summary: "", rulings: [], notes: [] } as const;
  const told = { ...report, findings: [], rulings: [], notes: [] };
  return { type: "feedback-received", at: clock.now(), head, report: told, state, checks: "pending" };
}
