import type { Repo } from "@anneal/adapters/git";
import type { LoopEvent } from "@anneal/types";
import type { FeedbackReceived } from "./heard.ts";
import { isPartOf } from "./push.ts";
import type { Strayed } from "./strayed.ts";
import { isTakenIn } from "./taken-in.ts";

type DeliveryHeld = Extract<LoopEvent, { type: "delivery-held" }>;

/** What a loop has delivered, or is about to, and where. */
interface Delivered {
  number: number;
  head: string;
  remote: string;
  signal?: AbortSignal;
}

/** What it means to a loop that its pull request is closed or merged: its end, unless commits of its own were left out. Null while it is open. */
export async function overBy(
  repo: Repo,
  loop: Delivered,
  event: FeedbackReceived,
): Promise<FeedbackReceived | DeliveryHeld | null> {
  if (event.state !== "merged" && event.state !== "closed") return null;
  const why = await leftOut(repo, loop, event);
  return why === null ? event : { type: "delivery-held", at: event.at, reason: "delivery-refused", ...why };
}

/** Which commits of a loop are not in what was merged, be that an earlier head of its own or what others made of one; null where all are. */
export async function leftOut(
  repo: Repo,
  { number, head, ...from }: Delivered,
  { state, head: merged }: Pick<FeedbackReceived, "state" | "head">,
): Promise<Strayed | null> {
  if (state !== "merged" || merged === head) return null;
  const isOwn = await isPartOf(repo, merged, head);
  const isWhole = isOwn ? false : await isTakenIn(repo, { ...from, commits: [head], merged });
  if (isWhole === true) return null;
  const what = `pull request ${number} was merged at ${merged}${isOwn ? "" : ", NOT REVIEWED"}`;
  if (isWhole === null) {
    const unknown = `it cannot be told whether ${head} is part of it; a retry opens a new one, stop ends it as it is`;
    return { detail: `${what}, and ${from.remote} does not give that out: ${unknown}`, anew: true };
  }
  const missing = await repo.commitsSince(merged, head);
  const without = missing.length === 1 ? head : `${missing.length} commits up to ${head}`;
  return { detail: `${what}, without ${without}: a retry opens a new one for what is missing`, anew: true };
}
