import { allBefore, wavesOf } from "../items/order.ts";
import type { TicketItem } from "./items.ts";
import { type EpicProgress, epicStatus, ticketProgress } from "./state.ts";

/** A ticket as the scheduler of all work items takes it. */
export interface TicketCandidate {
  id: string;
  dependsOn: readonly string[];
  /** Lower goes first. */
  priority: number;
  state: "waiting" | "running" | "done" | "stuck";
}

/**
 * An epic's tickets for the scheduler. `running` are those that somebody works on right now.
 * Tickets that do not depend on a failed one go on, whatever it means for the epic: so the result is the same however many run at once.
 */
export function planOf(progress: EpicProgress, running: ReadonlySet<string> = new Set()): TicketCandidate[] {
  const standings = ticketProgress(progress);
  return progress.epic.tickets.map(({ id, dependsOn, critical }): TicketCandidate => {
    const common = { id, dependsOn, priority: critical ? 1 : 2 };
    const { status, phase } = standings.get(id) ?? { status: "blocked", phase: "blocked" };
    if (running.has(id)) return { ...common, state: "running" };
    if (status === "completed") return { ...common, state: "done" };
    if (status === "failed" || phase === "blocked") return { ...common, state: "stuck" };
    if (status === "pending" || status === "queued") return { ...common, state: "waiting" };
    // What had begun already goes on before anything new, and waits for nobody.
    return { id, dependsOn: [], priority: Number.NEGATIVE_INFINITY, state: "waiting" };
  });
}

/** The tickets that one is built on: its dependencies, without those that another of them holds already, by name. */
export function buildsOn({ tickets }: { tickets: readonly TicketItem[] }, { dependsOn }: TicketItem): string[] {
  const covered = new Set(dependsOn.flatMap((id) => [...allBefore(tickets, id)]));
  return dependsOn.filter((id) => !covered.has(id)).sort();
}

export type TicketBase =
  | { kind: "baseline"; commit: string }
  /** On top of the one dependency that holds all others. */
  | { kind: "stacked"; ticket: string; commit: string }
  /** On a merge of these, in this order. */
  | { kind: "merged"; parents: { ticket: string; commit: string }[] }
  | { kind: "not-ready"; because: string };

/**
 * The commit that a ticket branches from: the baseline, its dependency's final commit, or a merge of several.
 * A dependency that another one builds on is in that one already; the rest is merged in the order of names.
 */
export function baseOf(progress: EpicProgress, ticket: TicketItem): TicketBase {
  const tops = buildsOn(progress.epic, ticket);
  const parents: { ticket: string; commit: string }[] = [];
  const standings = ticketProgress(progress);
  for (const id of ticket.dependsOn) {
    const status = standings.get(id)?.status ?? "unknown";
    if (status !== "completed")
      return { kind: "not-ready", because: `${id} is not completed; its status is ${status}` };
  }
  for (const id of tops) {
    const commit = finalCommit(progress, id);
    if (commit === null) return { kind: "not-ready", because: `${id} is completed, but has no final commit` };
    parents.push({ ticket: id, commit });
  }
  const [first, second] = parents;
  if (first === undefined) return { kind: "baseline", commit: progress.baselineCommit };
  return second === undefined ? { kind: "stacked", ...first } : { kind: "merged", parents };
}

function finalCommit({ loops, earlier = {} }: EpicProgress, id: string): string | null {
  const loop = loops.get(id);
  if (loop !== undefined) return loop.state.head;
  return (Object.hasOwn(earlier, id) ? earlier[id]?.git_info?.final_commit : null) ?? null;
}

/** The order in which tickets go into the epic branch: dependencies first, then by id. */
export function mergeOrder({ tickets }: { tickets: readonly TicketItem[] }): string[] {
  return wavesOf(tickets).flat();
}

/** What goes into the epic branch, in order: the completed tickets, or nothing of an epic that failed and rolls back. */
export function toMerge(progress: EpicProgress): { ticket: string; commit: string }[] {
  const standings = ticketProgress(progress);
  if (progress.epic.rollbackOnFailure && epicStatus(progress, standings) === "failed") return [];
  return mergeOrder(progress.epic).flatMap((ticket) => {
    const commit = standings.get(ticket)?.status === "completed" ? finalCommit(progress, ticket) : null;
    return commit === null ? [] : { ticket, commit };
  });
}
