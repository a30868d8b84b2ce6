import { GitError, type Repo } from "@anneal/git";
import type { LoopEvent } from "@anneal/types";
import { isPartOf } from "../../work/part-of.ts";
import type { FeedbackReceived } from "./feedback.ts";
import type { ForgeConnection } from "./forge.ts";
import { isTakenIn } from "./taken-in.ts";

type DeliveryHeld = Extract<LoopEvent, { type: "delivery-held" }>;

/** What a loop has delivered, or is about to, and where. */
interface Delivered {
  number: number;
  head: string;
  place: Pick<ForgeConnection, "forge" | "remote">;
  signal?: AbortSignal;
}

/** What it means to a loop that its pull request is closed or merged: its end, unless commits of its own were left out. Null while it is open. */
export async function closedResult(
  repo: Repo,
  loop: Delivered,
  event: FeedbackReceived,
): Promise<FeedbackReceived | DeliveryHeld | null> {
  const { head, place, signal } = loop;
  const { state, head: merged, at } = event;
  if (state !== "merged" && state !== "closed") return null;
  if (state === "closed" || merged === head) return event;
  const isOwn = await isPartOf(repo, merged, head);
  const from = { remote: place.remote, ...(signal === undefined ? {} : { signal }) };
  const isWhole = isOwn ? false : await isTakenIn(repo, { ...from, commits: [head], merged });
  if (isWhole === true) return event;
  // Whoever has brought the rest to the base has merged the loop's own head, unless others' commits came with the first part of it.
  if (isWhole === false && (await isInBase(repo, loop))) return isOwn ? { ...event, head } : event;
  const what = `pull request ${loop.number} was merged at ${merged}${isOwn ? "" : ", NOT REVIEWED"}`;
  const why = isWhole === false ? await leftOut(repo, head, merged) : notKnown(head, place.remote);
  return { type: "delivery-held", at, reason: "delivery-refused", detail: `${what}, ${why}`, anew: true };
}

/** Which commits of a loop are not in what was merged, be that an earlier head of its own or what others made of one. */
async function leftOut(repo: Repo, head: string, merged: string): Promise<string> {
  const missing = await repo.commitsSince(merged, head);
  const without = missing.length === 1 ? head : `${missing.length} commits up to ${head}`;
  return `without ${without}: retry opens a new pull request for the rest`;
}

/** What nobody here can look at may hold anything. */
function notKnown(head: string, remote: string): string {
  const unknown = `nobody can tell whether it contains ${head}; retry opens a new pull request, stop ends the loop`;
  return `but ${remote} does not have that commit, so ${unknown}`;
}

/** Whether the branch that took the pull request in holds the loop's head by now. */
async function isInBase(repo: Repo, { number, head, place: { forge, remote }, signal }: Delivered): Promise<boolean> {
  const from = { remote, ...(signal === undefined ? {} : { signal }) };
  const { base } = await forge.get(number);
  try {
    const { commit: merged } = await repo.fetchBranch({ ...from, branch: base });
    return (await isTakenIn(repo, { ...from, commits: [head], merged })) === true;
  } catch (error) {
    if (error instanceof GitError && error.kind === "unknown-ref") return false;
    throw error;
  }
}
