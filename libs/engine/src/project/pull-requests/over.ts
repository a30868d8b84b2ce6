import type { Repo } from "@anneal/adapters/git";
import type { LoopEvent } from "@anneal/types";
import type { FeedbackReceived } from "./heard.ts";
import { isPartOf } from "./push.ts";
import type { Strayed } from "./strayed.ts";

type DeliveryHeld = Extract<LoopEvent, { type: "delivery-held" }>;

/** What a loop has delivered, or is about to. */
interface Delivered {
  number: number;
  head: string;
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

/** Which commits of a loop are not in what was merged, where that is an earlier head of its own; null otherwise. */
export async function leftOut(
  repo: Repo,
  { number, head }: Delivered,
  event: Pick<FeedbackReceived, "state" | "head">,
): Promise<Strayed | null> {
  if (event.state !== "merged" || event.head === head || !(await isPartOf(repo, event.head, head))) return null;
  const missing = await repo.commitsSince(event.head, head);
  const what = missing.length === 1 ? head : `${missing.length} commits up to ${head}`;
  const detail = `pull request ${number} was merged at ${event.head}, without ${what}: a retry opens a new one for what is missing`;
  return { detail, anew: true };
}
