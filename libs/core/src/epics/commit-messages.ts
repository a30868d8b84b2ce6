import type { LoopState } from "@anneal/types";
import type { FixAccount } from "../lineage/fix-account.ts";
import { oneLine } from "../text/text.ts";
import { leftLines } from "../write/fix-lines.ts";
import { epicBranch, type TicketItem, ticketBranch } from "./items.ts";
import { revisionCount } from "./ticket-loop.ts";

/** The message of a commit of a ticket's loop: its original attempt, or the revision that answers a review. */
export function ticketCommitMessage({ id, title }: TicketItem, state: LoopState, fix: FixAccount): string {
  if (state.rounds.length === 0) return `feat(${id}): ${oneLine(title)}`;
  return `fix(${id}): address code review, revision ${revisionCount(state)}${leftLines(fix)}`;
}

/** The message of the merge of a ticket into its epic's branch. */
export function ticketMergeMessage(epic: string, ticket: string): string {
  return `Merge ${ticketBranch(ticket)} into ${epicBranch(epic)}`;
}

/** The message of the commits that bring a ticket's dependencies together, for it to start from. */
export function joinMessage(ticket: string, parents: readonly string[]): string {
  return `Merge ${parents.map(ticketBranch).join(" and ")} for ${ticketBranch(ticket)} to build on`;
}
