import { awaitsResolution, reviewedHead } from "@anneal/core";
import type { CompleteReport, LoopEvent, LoopState } from "@anneal/types";
import type { ProjectParts } from "../../items/prepare.ts";
import type { Delivery } from "../../work/loop-work.ts";
import { closedResult } from "./closed.ts";
import { resolutionOf } from "./conflict.ts";
import { lastFeedback, unanswered } from "./feedback.ts";
import { connect } from "./forge.ts";
import { mergePullRequest } from "./merge.ts";
import { heldBy, missing } from "./moved-branch.ts";
import { itemOfJob, openPullRequest, type PullRequestJob } from "./open.ts";
import { afterRateLimit, unlessMissing } from "./rate-limit.ts";

export {
  allowPush,
  connect,
  type ForgeConnection,
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
      const over = (await alreadyOver(parts, state, signal)) ?? (await taken(state, signal));
      if (over !== null) return over;
      const said = unanswered(parts.store.events(loopId));
      return await openPullRequest(parts, { ...job, name: loopId, unanswered: said }, state, signal);
    },
    async merging(state, signal) {
      const resolved = await taken(state, signal);
      if (resolved !== null) return (await alreadyOver(parts, state, signal)) ?? resolved;
      const heard = lastFeedback(parts.store.events(loopId));
      return await mergePullRequest(parts, { ...job, key: itemOfJob(loopId), feedback: heard }, state, signal);
    },
  };

  /** A person's resolution of a conflict is a new head: nothing is delivered before that is judged. */
  async function taken(state: Delivering, signal: AbortSignal): Promise<LoopEvent | null> {
    const { repo, clock } = parts;
    const { pr } = state;
    if (pr === null || !awaitsResolution(state)) return null;
    try {
      return await afterRateLimit(clock, signal, async () => {
        const place = await connect(repo, clock);
        if ("none" in place) return null;
        const { base } = await place.forge.get(pr.number);
        const found = await resolutionOf(repo, { remote: place.remote, base, branch: job.branch, signal }, state);
        return found === null ? null : { type: "conflict-resolved", at: clock.now(), ...found };
      });
    } catch (error) {
      return { type: "delivery-held", at: clock.now(), reason: "delivery-refused", ...heldBy(error, pr) };
    }
  }
}

type Delivering = Extract<LoopState, { stage: "opening-pr" | "merging" }>;

/** Somebody merged, closed or removed it while the loop was at work: nothing is pushed any more, unless a person wants it anew. */
async function alreadyOver(
  { repo, clock }: DeliveryParts,
  loop: Delivering,
  signal: AbortSignal,
): Promise<LoopEvent | null> {
  const { pr, head } = loop;
  const anew = loop.stage === "opening-pr" && loop.anew;
  if (pr === null) return null;
  const place = await connect(repo, clock);
  if ("none" in place) return null;
  const found = await afterRateLimit(clock, signal, () => unlessMissing(place.forge.get(pr.number)));
  if (found === null && anew === true) return null;
  if (found === null) return { type: "delivery-held", at: clock.now(), reason: "delivery-refused", ...missing(pr) };
  const { state } = found;
  const report: CompleteReport = { status: "complete", claim: null, findings: [], summary: "", rulings: [], notes: [] };
  const at = { at: clock.now(), head: reviewedHead(loop, found.head.sha) };
  const heard = { type: "feedback-received", ...at, report, state, checks: "pending" } as const;
  const over = await closedResult(repo, { number: pr.number, head, place, signal }, heard);
  return over?.type === "delivery-held" && anew === true ? null : over;
}
