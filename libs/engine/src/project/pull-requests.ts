import type { Delivery } from "../loop-work.ts";
import { mergePullRequest } from "./pull-requests-merge.ts";
import { type DeliveryParts, openPullRequest, type PullRequestJob } from "./pull-requests-open.ts";

export { allowPush, connect, type ForgePlace, featureChoice, mayPush } from "./pull-requests-forge.ts";
export { openPullRequest, type PullRequestJob } from "./pull-requests-open.ts";

/** The way of a change to its pull request and through it: what the forge says meanwhile is heard by the ear. */
export function pullRequestDelivery(parts: DeliveryParts, job: PullRequestJob): Delivery {
  return {
    "opening-pr": (state, signal) => openPullRequest(parts, job, state, signal),
    merging: (state, signal) => mergePullRequest(parts, state, signal),
  };
}
