import { reviewedHead } from "@anneal/core";
import type { LoopEvent } from "@anneal/types";
import type { Delivery } from "../../loop-work.ts";
import type { ProjectParts } from "../prepare.ts";
import { connect } from "./forge.ts";
import { lastHeard, unanswered } from "./heard.ts";
import { mergePullRequest } from "./merge.ts";
import { type Opening, openPullRequest, type PullRequestJob } from "./open.ts";
import { overBy } from "./over.ts";
import { patiently, unlessMissing } from "./patience.ts";
import { missing } from "./strayed.ts";

export {
  allowPush,
  connect,
  type ForgePlace,
  featureChoice,
  mayPush,
  targetOf,
} from "./forge.ts";
export { openPullRequest, type PullRequestJob } from "./open.ts";

type DeliveryParts = Pick<ProjectParts, "repo" | "store" | "clock">;

export type LoopJob = Omit<PullRequestJob, "name" | "unanswered"> & { loopId: string };

/** The way of a loop's change to its pull request and through it; what the forge says meanwhile comes as a message. */
export function pullRequestDelivery(parts: DeliveryParts, { loopId, ...job }: LoopJob): Delivery {
  return {
    async "opening-pr"(state, signal) {
      const over = await alreadyOver(parts, state, signal);
      if (over !== null) return over;
      const said = unanswered(parts.store.events(loopId));
      return await openPullRequest(parts, { ...job, name: loopId, unanswered: said }, state, signal);
    },
    merging: (state, signal) =>
      mergePullRequest(parts, { ...job, heard: lastHeard(parts.store.events(loopId)) }, state, signal),
  };
}

/** Somebody merged, closed or removed it while the loop was at work: nothing is pushed any more, unless a person wants it anew. */
async function alreadyOver(
  { repo, clock }: DeliveryParts,
  loop: Opening,
  signal: AbortSignal,
): Promise<LoopEvent | null> {
  const { pr, head, anew } = loop;
  if (pr === null) return null;
  const place = await connect(repo, clock);
  if ("none" in place) return null;
  const found = await patiently(clock, signal, () => unlessMissing(place.forge.get(pr.number)));
  if (found === null && anew === true) return null;
  if (found === null) return { type: "delivery-held", at: clock.now(), reason: "delivery-refused", ...missing(pr) };
  const { state } = found;
  const report = { status: "complete", claim: null, findings: [], summary: "", rulings: [], notes: [] } as const;
  const told = { ...report, findings: [], rulings: [], notes: [] };
  const at = { at: clock.now(), head: reviewedHead(loop, found.head.sha) };
  const heard = { type: "feedback-received", ...at, report: told, state, checks: "pending" } as const;
  const over = await overBy(repo, { number: pr.number, head, place, signal }, heard);
  return over?.type === "delivery-held" && anew === true ? null : over;
}
