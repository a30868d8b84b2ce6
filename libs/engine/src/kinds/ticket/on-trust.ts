import { allBefore } from "@anneal/core";
import { type EpicProgress, unreviewedIn } from "@anneal/core/epics";
import { itemOf, keyOf } from "../../history/item-key.ts";
import type { ProjectParts } from "../../items/prepare.ts";
import { epicIndex, isRunnable, namesIn } from "./epic-index.ts";
import { epicLog } from "./log.ts";

/** Keys of the tickets that something builds on and that nobody reviewed: those before a ticket, or all of the epic. */
function unreviewedBefore(progress: EpicProgress, ticket?: string): string[] {
  const { id: epicId, tickets } = progress.epic;
  const before = ticket === undefined ? null : allBefore(tickets, ticket);
  const unreviewed = unreviewedIn(progress).filter((id) => before?.has(id) ?? true);
  return unreviewed.map((id) => keyOf({ kind: "ticket", id: `${epicId}/${id}` }));
}

/** What a loop that begins is bound to for that; it is reported. */
export function takenOnTrust(
  { tell }: Pick<ProjectParts, "tell">,
  key: string,
  progress: EpicProgress,
  ticket?: string,
): { unreviewed?: string[] } {
  const unreviewed = unreviewedBefore(progress, ticket);
  if (unreviewed.length === 0) return {};
  tell?.(key, onTrustText(unreviewed));
  return { unreviewed };
}

export function onTrustText(unreviewed: readonly string[]): string {
  return `this work builds on tickets that only epic-state.json calls completed, without a review: ${unreviewed.join(", ")}`;
}

/** The tickets that nobody reviewed in what these keys stand for, as far as they are epics and tickets. */
export async function unreviewedTickets(
  { repo, store }: Pick<ProjectParts, "repo" | "store">,
  keys: readonly string[],
): Promise<string[]> {
  const items = keys.map(itemOf).filter(({ kind }) => kind === "ticket" || kind === "epic");
  if (items.length === 0) return [];
  const log = epicLog(store);
  const epics = (await epicIndex(repo.root).all()).filter(isRunnable);
  const found = items.flatMap(({ kind, id }) => {
    const { epicId, ticketId } = kind === "epic" ? { epicId: id, ticketId: undefined } : namesIn(id);
    const epic = epics.find((one) => one.epic.id === epicId);
    if (epic === undefined) return [];
    const progress = log.progress(epic);
    const itself = unreviewedBefore(progress).filter((key) => key === keyOf({ kind, id }));
    return [...unreviewedBefore(progress, ticketId), ...itself];
  });
  return [...new Set(found)];
}
