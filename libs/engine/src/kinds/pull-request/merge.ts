import type { PullRequest } from "@anneal/adapters/forges";
import { leftBy } from "@anneal/core";
import { NOT_REVIEWED } from "@anneal/core/pull-request";
import type { LoopEvent, LoopState } from "@anneal/types";
import { isPartOf } from "../../work/part-of.ts";
import { closedResult } from "./closed.ts";
import { adviceOn } from "./conflict.ts";
import type { FeedbackReceived } from "./feedback.ts";
import { connect, type ForgeConnection } from "./forge.ts";
import { missingFromBase, tipOn } from "./missing-from-base.ts";
import { type HoldReason, heldBy, movedPullBranch } from "./moved-branch.ts";
import { newsOf, revokesApproval } from "./news.ts";
import { type DeliveryParts, goesInto, type PullRequestJob } from "./open.ts";
import { afterRateLimit } from "./rate-limit.ts";

/** What a merge rests on. */
interface Approved extends Pick<PullRequestJob, "policy" | "branch" | "into" | "against"> {
  /** The item's. */
  key: string;
  /** The last feedback on this head when it was approved. */
  feedback: FeedbackReceived | null;
}

type Merging = Extract<LoopState, { stage: "merging" }>;

/**
 * Merges a pull request through its forge, at exactly the head that earned it; one that is merged already is done.
 * The forge is asked once more right before: what was said since the approval voids it.
 */
export async function mergePullRequest(
  parts: DeliveryParts,
  approved: Approved,
  state: Merging,
  signal: AbortSignal,
): Promise<LoopEvent> {
  const { repo, clock } = parts;
  const { policy, branch, key, feedback } = approved;
  const { pr, head } = state;
  const delivered = leftBy(state);
  const at = () => clock.now();
  const heldFor = (why: HoldReason) =>
    ({ type: "delivery-held", at: at(), reason: "delivery-refused", ...why }) as const;
  if (pr === null) {
    const reason = `the result is on the branch ${branch}; nothing is pushed or merged`;
    return { type: "delivery-skipped", at: at(), reason };
  }
  try {
    return await afterRateLimit(clock, signal, async () => {
      const place = await connect(repo, clock);
      if ("none" in place) return heldFor({ detail: place.none });
      const { forge, terms } = place;
      const news = async () => {
        const now = await newsOf(place, pr.number, state);
        return now === null ? null : ({ ...now, at: at() } as const);
      };
      const over = (event: FeedbackReceived | null) =>
        event === null ? null : closedResult(repo, { number: pr.number, head, place, signal }, event);
      const event = await news();
      // What is merged at this very head is done: asked to merge it, the forge says as what.
      const ended = event?.state === "merged" && event.head === head ? null : await over(event);
      if (ended !== null) return ended;
      if (event !== null && event.head === head && revokesApproval(policy, state, feedback, event)) return event;
      const pull = await forge.get(pr.number);
      const early = await beforeMerge(parts, { approved, place, pull, signal }, state);
      if (early !== null)
        return "merged" in early ? { type: "merged", at: at(), commit: early.merged } : heldFor(early);
      // A person has approved it: that is what moves a draft on.
      if (pull.state === "open" && pull.draft && pull.head.sha === delivered) await forge.markReady(pr.number);
      const mark = pr.draft
        ? { message: `Merge pull request ${pr.number} from ${pull.head.branch}\n\n${NOT_REVIEWED}\n` }
        : {};
      const there = { remote: place.remote, branch: pull.head.branch, number: pr.number };
      const held = async (detail: string) =>
        (await over(await news())) ?? heldFor((await goneOrPutBack(repo, there, state)) ?? { detail });
      const request = { method: terms.mergeMethod ?? "merge", expectedHead: delivered, ...mark };
      const merged = await forge.merge(pr.number, request);
      switch (merged.result) {
        case "merged":
          return { type: "merged", at: at(), commit: merged.commit };
        case "conflict":
          return { type: "merge-conflicted", at: at(), files: merged.files, advice: adviceOn({ key, place, pull }) };
        case "head-moved":
          return await held(
            `pull request ${pr.number} is now at ${merged.head}, but ${delivered} was approved: check the new commits`,
          );
        case "not-mergeable":
          return await held(`the forge refused to merge pull request ${pr.number}: ${merged.reason}`);
      }
    });
  } catch (error) {
    return heldFor(heldBy(error, pr));
  }
}

interface Asked {
  approved: Approved;
  place: ForgeConnection;
  pull: PullRequest;
  signal: AbortSignal;
}

/** What the base, as it stands there now, says about a merge: it is done, or it would bring more than was reviewed. Null where it may happen. */
async function beforeMerge(
  parts: DeliveryParts,
  { approved, place, pull, signal }: Asked,
  state: Merging,
): Promise<HoldReason | { merged: string } | null> {
  const { repo } = parts;
  const { remote } = place;
  const { base } = pull;
  const delivered = leftBy(state);
  if (pull.state !== "open" || pull.head.sha !== delivered) return null;
  const tip = await tipOn(repo, { remote, branch: base, signal });
  if (tip === null) return null;
  // A forge may be slow to see that somebody has merged it with git.
  if (await isPartOf(repo, delivered, tip)) return { merged: delivered };
  const landed = async () => {
    const now = await goesInto(parts, place, approved, signal);
    return now.into === base ? now.landed : [];
  };
  const about = { key: approved.key, branch: pull.head.branch };
  const detail = await missingFromBase(repo, { ...about, remote, base, tip, from: state.base, landed });
  return detail === null ? null : { detail };
}

/** What a retry mends by pushing the reviewed head again; what others pushed is for a person to look at. */
async function goneOrPutBack(...args: Parameters<typeof movedPullBranch>): Promise<HoldReason | null> {
  const found = await movedPullBranch(...args);
  return found?.anew ? found : null;
}
