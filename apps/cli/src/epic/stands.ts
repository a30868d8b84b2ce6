import type { EpicPlan } from "@anneal/engine/epics";
import { counted } from "../project/output.ts";
import { harmlessLine } from "../style.ts";

/** How an epic stands, in one line. epic-state.json has no word for one whose tickets are fine and whose merge waits. */
export function standsAt({ id, status, tickets, conflict }: EpicPlan): string {
  const isLost = tickets.some((one) => one.critical && (one.status === "failed" || one.status === "blocked"));
  const word = conflict === null || isLost ? status : "waits for you (merge conflict)";
  const done = tickets.filter((ticket) => ticket.status === "completed").length;
  return `Epic ${harmlessLine(id)}: ${word}, ${done} of ${counted(tickets.length, "ticket")} completed`;
}

/** What a person has to do about merges. */
export function mergeLines({ key, conflict, lost }: EpicPlan): string[] {
  return [lost, conflict].flatMap((why) => (why === null ? [] : [`✘ ${harmlessLine(key)}: ${harmlessLine(why)}`]));
}
