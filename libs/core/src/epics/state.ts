import type { EpicState, EpicTicketState, ReviewHistoryEntry, TicketStatus } from "@anneal/types";
import { wavesOf } from "../items/order.ts";
import { sanitise } from "../text/sanitise.ts";
import { isoSeconds, oneLine } from "../text/text.ts";
import { type EpicItem, epicBranch, type TicketItem, ticketBranch } from "./items.ts";
import { allReviewReports, reviewHistory } from "./reports.ts";
import { countedRevisions, maxRevisions, phaseOf, revisionsOf, type TicketLoop } from "./ticket-loop.ts";

/** How far an epic has come. */
export interface EpicProgress {
  epic: EpicItem;
  baselineCommit: string;
  /** Epoch milliseconds. */
  startedAt: number;
  /** By ticket; one that is missing has not begun. */
  loops: ReadonlyMap<string, TicketLoop>;
  /** What epic-state.json says of tickets that never had a loop here: a completed one counts as such. */
  earlier?: EpicState["tickets"];
  /** Whether the completed tickets are on the epic branch. */
  merge: "pending" | "done" | "conflict";
}

export interface TicketProgress {
  status: TicketStatus;
  phase: TicketStatus;
  /** Why it failed or is blocked. */
  reason: string | null;
}

/** Where every ticket stands. One that waits for its dependencies is pending, one that could start queued. */
export function ticketProgress({ epic, loops, earlier = {} }: EpicProgress): Map<string, TicketProgress> {
  const byId = new Map(epic.tickets.map((ticket) => [ticket.id, ticket]));
  const standings = new Map<string, TicketProgress>();
  for (const id of wavesOf(epic.tickets).flat()) {
    const loop = loops.get(id);
    const recorded = Object.hasOwn(earlier, id) ? earlier[id] : undefined;
    if (loop !== undefined) standings.set(id, { status: loop.status, phase: phaseOf(loop), reason: reasonOf(loop) });
    else if (recorded?.status === "completed") standings.set(id, plain("completed"));
    else standings.set(id, unstarted(byId.get(id)?.dependsOn ?? [], standings));
  }
  return standings;
}

/** Completed tickets that no loop built here and that no review approved, as far as epic-state.json says: nothing else proves it. */
export function unreviewedIn({ epic, loops, earlier = {} }: EpicProgress): string[] {
  const recorded = (id: string) => (loops.has(id) || !Object.hasOwn(earlier, id) ? undefined : earlier[id]);
  return epic.tickets
    .map(({ id }) => id)
    .filter((id) => recorded(id)?.status === "completed" && recorded(id)?.review_approved !== true);
}

function plain(status: TicketStatus): TicketProgress {
  return { status, phase: status, reason: null };
}

function unstarted(dependsOn: readonly string[], standings: ReadonlyMap<string, TicketProgress>): TicketProgress {
  const lost = dependsOn.find((id) => isLost(standings.get(id)?.status));
  if (lost !== undefined) {
    const reason = `it depends on ${lost}, which is ${standings.get(lost)?.status}`;
    return { status: "blocked", phase: "blocked", reason };
  }
  return plain(dependsOn.every((id) => standings.get(id)?.status === "completed") ? "queued" : "pending");
}

function isLost(status: TicketStatus | undefined): boolean {
  return status === "failed" || status === "blocked";
}

/** Why a ticket ended without being completed, in the seed's words where its reviews were the reason. */
function reasonOf({ policy, state }: TicketLoop): string | null {
  if (state.stage !== "ended" || !["failed", "blocked", "stopped", "closed"].includes(state.outcome)) return null;
  const detail = oneLine(sanitise(state.detail));
  const reviewed = state.outcome === "failed" && state.verdict?.verdict.result === "fail";
  if (!reviewed) return detail;
  const revisions = revisionsOf(state);
  const failure = `Review failed after ${revisions} ${revisions === 1 ? "revision" : "revisions"}`;
  // At the limit the count says it all; what ended it before has its own reason.
  return revisions >= maxRevisions(policy) && state.verdict?.head === state.head && state.rounds.length > revisions
    ? failure
    : `${failure}: ${detail}`;
}

/** An epic's status. A critical ticket that is lost fails it at once; it is completed once its tickets are merged. */
export function epicStatus({ epic, merge }: EpicProgress, standings: ReadonlyMap<string, TicketProgress>): EpicStatus {
  const statuses = epic.tickets.map(({ id, critical }) => ({ critical, status: standings.get(id)?.status }));
  if (statuses.some(({ critical, status }) => critical && isLost(status))) return "failed";
  if (statuses.every(({ status }) => status === "pending" || status === "queued")) return "pending";
  if (statuses.some(({ status }) => status !== "completed" && !isLost(status))) return "in-progress";
  if (merge === "conflict" || statuses.every(({ status }) => isLost(status))) return "failed";
  return merge === "done" ? "completed" : "in-progress";
}

/** The words that files of before reviews have for an epic. */
export type EpicStatus = "pending" | "in-progress" | "completed" | "failed";

/** The whole of epic-state.json, from the log. */
export function epicState(progress: EpicProgress): EpicState {
  const { epic, loops, earlier = {} } = progress;
  const standings = ticketProgress(progress);
  const entries = epic.tickets.map((ticket): [string, EpicTicketState] => {
    const loop = loops.get(ticket.id);
    const standing = standings.get(ticket.id) ?? plain("pending");
    const recorded = Object.hasOwn(earlier, ticket.id) ? earlier[ticket.id] : undefined;
    const kept = loop === undefined && standing.status === "completed" ? recorded : undefined;
    return [ticket.id, kept ?? ticketState(ticket, standing, loop)];
  });
  return {
    epic_id: epic.id,
    baseline_commit: progress.baselineCommit,
    epic_branch: epicBranch(epic.id),
    status: epicStatus(progress, standings),
    started_at: isoSeconds(progress.startedAt),
    tickets: Object.fromEntries(entries),
  };
}

function ticketState(ticket: TicketItem, standing: TicketProgress, loop: TicketLoop | undefined): EpicTicketState {
  return {
    path: ticket.path,
    depends_on: ticket.dependsOn,
    critical: ticket.critical,
    status: standing.status,
    phase: standing.phase,
    git_info: loop === undefined ? null : gitInfo(ticket, loop),
    started_at: timeText(loop?.startedAt),
    completed_at: standing.status === "completed" ? timeText(loop?.state.lastAt) : null,
    ...reviewState(ticket, loop),
    failure_reason: standing.reason,
  };
}

function gitInfo({ id }: TicketItem, { state }: TicketLoop): EpicTicketState["git_info"] {
  return { base_commit: state.base, branch_name: ticketBranch(id), final_commit: state.head };
}

/** What seed 002 adds to a ticket. While a review runs, the one before it is in the history only. */
function reviewState({ id }: TicketItem, loop: TicketLoop | undefined) {
  const reports = loop === undefined ? [] : allReviewReports(id, loop);
  const last = reports.at(-1);
  const running = loop !== undefined && isReviewing(loop);
  return {
    revision_count: loop === undefined ? 0 : countedRevisions(loop.state),
    review_started_at: timeText(loop?.reviewStartedAt),
    review_completed_at: running ? null : (last?.reviewed_at ?? null),
    review_approved: running ? null : (last?.approved ?? null),
    review_history: reviewHistory(reports),
    current_review_report: last ?? null,
  };
}

/** A review that broke and waits for a person is still to come. */
function isReviewing({ status, state }: TicketLoop): boolean {
  return state.stage === "reviewing" || (status === "reviewing" && state.verdict?.head !== state.head);
}

function timeText(epochMs: number | null | undefined): string | null {
  return epochMs === null || epochMs === undefined ? null : isoSeconds(epochMs);
}

/** Our state over what the file says: fields and tickets that are not ours stay as they are. */
export function mergeEpicState(before: EpicState, ours: EpicState): EpicState {
  const tickets = Object.entries(ours.tickets).map(([id, ticket]): [string, EpicTicketState] => [
    id,
    Object.hasOwn(before.tickets, id) ? mergeTicket(before.tickets[id], ticket) : ticket,
  ]);
  return { ...before, ...ours, tickets: { ...before.tickets, ...Object.fromEntries(tickets) } };
}

function mergeTicket(old: EpicTicketState | undefined, ours: EpicTicketState): EpicTicketState {
  const { path, depends_on, critical, status, phase, failure_reason } = ours;
  // Of a ticket that has not begun here, we know its position in the plan and nothing else.
  if (!ours.started_at) return { ...ours, ...old, path, depends_on, critical, status, phase, failure_reason };
  return {
    ...old,
    ...ours,
    git_info: { ...old?.git_info, ...ours.git_info },
    review_history: historyOf(old?.review_history ?? [], ours.review_history ?? []),
  };
}

/** Reviews that somebody else wrote down stay in the history; of one attempt, what the log says holds. */
function historyOf(old: readonly ReviewHistoryEntry[], ours: readonly ReviewHistoryEntry[]): ReviewHistoryEntry[] {
  const known = new Set(ours.map(({ attempt }) => attempt));
  return [...old.filter(({ attempt }) => !known.has(attempt)), ...ours].sort((a, b) => a.attempt - b.attempt);
}
