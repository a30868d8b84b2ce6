import type { LoopEvent, LoopState } from "@anneal/types";
import { connect } from "./pull-requests-forge.ts";
import type { DeliveryParts } from "./pull-requests-open.ts";
import { patiently, refusedBy } from "./pull-requests-patience.ts";

type Merging = Extract<LoopState, { stage: "merging" }>;

/** Merges a pull request through its forge, at exactly the head that earned it; one that is merged already is done. */
export async function mergePullRequest(
  { repo, clock }: DeliveryParts,
  { pr, head }: Merging,
  signal: AbortSignal,
): Promise<LoopEvent> {
  const at = () => clock.now();
  const held = (detail: string): LoopEvent => ({ type: "delivery-held", at: at(), reason: "delivery-refused", detail });
  if (pr === null) return { type: "delivery-skipped", at: at(), reason: "it has no pull request" };
  try {
    return await patiently(clock, signal, async () => {
      const place = await connect(repo, clock);
      if ("none" in place) return held(place.none);
      const { forge, terms } = place;
      const pull = await forge.get(pr.number);
      // A person has approved it: that is what moves a draft on.
      if (pull.state === "open" && pull.draft && pull.head.sha === head) await forge.markReady(pr.number);
      const merged = await forge.merge(pr.number, { method: terms.mergeMethod ?? "merge", expectedHead: head });
      switch (merged.result) {
        case "merged":
          return { type: "merged", at: at(), commit: merged.commit };
        case "conflict":
          return { type: "merge-conflicted", at: at(), files: merged.files };
        case "head-moved":
          return held(
            `pull request ${pr.number} is at ${merged.head} by now, and ${head} was approved: look at what came in between`,
          );
        case "not-mergeable":
          return held(`the forge does not merge pull request ${pr.number}: ${merged.reason}`);
      }
    });
  } catch (error) {
    return held(refusedBy(error));
  }
}
