import { leftBy } from "@anneal/core";
import { NOT_REVIEWED } from "@anneal/core/pull-request";
import type { LoopEvent, LoopState, Policy } from "@anneal/types";
import { adviceOn } from "./conflict.ts";
import { connect } from "./forge.ts";
import type { FeedbackReceived } from "./heard.ts";
import { newsOf, voids } from "./news.ts";
import type { DeliveryParts } from "./open.ts";
import { overBy } from "./over.ts";
import { patiently } from "./patience.ts";
import { heldBy, type Strayed, strayed } from "./strayed.ts";

/** What a merge rests on. */
interface Approved {
  policy: Policy;
  branch: string;
  /** The item's. */
  key: string;
  /** The last that was heard about this head when it was approved. */
  heard: FeedbackReceived | null;
}

type Merging = Extract<LoopState, { stage: "merging" }>;

/**
 * Merges a pull request through its forge, at exactly the head that earned it; one that is merged already is done.
 * The forge is asked once more right before: what was said since the approval voids it.
 */
export async function mergePullRequest(
  { repo, clock }: DeliveryParts,
  { policy, branch, key, heard }: Approved,
  state: Merging,
  signal: AbortSignal,
): Promise<LoopEvent> {
  const { pr, head } = state;
  const delivered = leftBy(state);
  const at = () => clock.now();
  const heldFor = (why: Strayed) => ({ type: "delivery-held", at: at(), reason: "delivery-refused", ...why }) as const;
  if (pr === null) {
    const reason = `the result is on the branch ${branch}; nothing is pushed or merged`;
    return { type: "delivery-skipped", at: at(), reason };
  }
  try {
    return await patiently(clock, signal, async () => {
      const place = await connect(repo, clock);
      if ("none" in place) return heldFor({ detail: place.none });
      const { forge, terms } = place;
      const news = async () => {
        const now = await newsOf(place, pr.number, state);
        return now === null ? null : ({ ...now, at: at() } as const);
      };
      const over = (event: FeedbackReceived | null) =>
        event === null ? null : overBy(repo, { number: pr.number, head, place, signal }, event);
      const event = await news();
      // What is merged at this very head is done: asked to merge it, the forge says as what.
      const ended = event?.state === "merged" && event.head === head ? null : await over(event);
      if (ended !== null) return ended;
      if (event !== null && event.head === head && voids(policy, state, heard, event)) return event;
      const pull = await forge.get(pr.number);
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
            `pull request ${pr.number} is at ${merged.head} by now, and ${delivered} was approved: look at what came in between`,
          );
        case "not-mergeable":
          return await held(`the forge does not merge pull request ${pr.number}: ${merged.reason}`);
      }
    });
  } catch (error) {
    return heldFor(heldBy(error, pr));
  }
}

/** What a retry mends by pushing the reviewed head again; what others pushed is for a person to look at. */
async function goneOrPutBack(...args: Parameters<typeof strayed>): Promise<Strayed | null> {
  const found = await strayed(...args);
  return found?.anew ? found : null;
}
