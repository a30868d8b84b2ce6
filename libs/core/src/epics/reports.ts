import type { ReviewHistoryEntry, ReviewReport, TicketReviewContext } from "@anneal/types";
import { sanitise, sanitiseDeep } from "../text/sanitise.ts";
import { block, locationText, oneLine } from "../text/text.ts";
import { toHistoryEntry } from "../write/revision.ts";
import { DIMENSION_WEIGHTS, isDimension, toReviewReport } from "../write/ticket-report.ts";
import type { CompletionReport } from "./completion.ts";
import { type EpicItem, type TicketItem, ticketBranch } from "./items.ts";
import { revisionCount, type TicketLoop } from "./ticket-loop.ts";

/** Every conclusive review of a ticket as seed 002 writes it, oldest first; none under a policy without a scorecard. */
export function reviewReports(
  ticketId: string,
  { policy, state }: Pick<TicketLoop, "policy" | "state">,
): ReviewReport[] {
  const rule = policy.pass.scorecard;
  if (rule === undefined) return [];
  return state.rounds.flatMap(({ number, reviewedAt, report, verdict }) => {
    const revision = number - 1;
    return toReviewReport({ ticketId, reviewedAt, revisionCount: revision, report, verdict, rule }) ?? [];
  });
}

/** The reports of this loop and of those that the ticket had before. */
export function allReviewReports(ticketId: string, loop: TicketLoop): ReviewReport[] {
  const before = loop.before === null ? [] : allReviewReports(ticketId, loop.before);
  return [...before, ...reviewReports(ticketId, loop)];
}

export function reviewHistory(reports: readonly ReviewReport[]): ReviewHistoryEntry[] {
  return reports.map(toHistoryEntry);
}

/** Where the full report of an attempt is kept, from the epic's folder: epic-state.json holds the latest one only. */
export function reviewReportPath(ticketId: string, attempt: number): string {
  return `artifacts/reviews/${ticketId}-attempt-${attempt}.json`;
}

export interface ReviewContextArgs {
  epic: EpicItem;
  ticket: TicketItem;
  loop: Pick<TicketLoop, "policy" | "state">;
  filesModified: readonly string[];
  /** What the project's own test command said about this commit. */
  testSuite: TicketReviewContext["test_suite_status"];
  completion: CompletionReport;
}

/** What the reviewer of a ticket gets (seed 002's ReviewContext), or why there is nothing to review yet. */
export function reviewContext(args: ReviewContextArgs): TicketReviewContext | { error: string } {
  const { epic, ticket, loop, completion } = args;
  const { base, head } = loop.state;
  if (head === null) return { error: `${ticket.id} has no commit to review yet` };
  const previous = reviewReports(ticket.id, loop).at(-1);
  return {
    ticket_id: ticket.id,
    ticket_path: ticket.path,
    epic_path: epic.path,
    ticket_branch: ticketBranch(ticket.id),
    base_commit: base,
    final_commit: head,
    files_modified: [...args.filesModified],
    test_suite_status: args.testSuite,
    acceptance_criteria: completion.criteria.map(({ criterion, status }) => ({
      criterion,
      met: status === "addressed",
    })),
    revision_count: revisionCount(loop.state),
    previous_review_feedback: previous === undefined ? null : feedbackOf(previous),
  };
}

/** The part of the context that no other part of the reviewer's request states; what the builder claims is a claim. */
export function reviewContextText(context: TicketReviewContext, completion: CompletionReport): string {
  const claims = completion.criteria.map(({ criterion, status, evidence, because }, index) => {
    const said =
      status === "addressed" ? `the implementer reports it as met: ${evidence}` : `not addressed: ${because}`;
    return `${index + 1}. ${oneLine(criterion)} (${said})`;
  });
  return [
    `ticket_path: ${context.ticket_path}`,
    `epic_path: ${context.epic_path}`,
    "files_modified:",
    ...context.files_modified.map((file) => `- ${oneLine(file)}`),
    `test_suite_status: ${context.test_suite_status}`,
    ...(claims.length === 0 ? [] : ["acceptance_criteria:", ...claims]),
  ].join("\n");
}

/** A report as one text for people: harmless on a terminal and in markdown, whatever its reviewer wrote. */
export function reviewReportText(untrusted: ReviewReport): string {
  const report = sanitiseDeep(untrusted);
  const scores = Object.keys(DIMENSION_WEIGHTS)
    .filter(isDimension)
    .map((name) => `${name} ${report.dimension_scores[name].score}`);
  return [
    `${oneLine(report.ticket_id)}, attempt ${report.revision_count}: ${report.status}, ${report.overall_score}/100`,
    `Scores: ${scores.join(", ")}`,
    ...report.blocking_issues.map((issue) => `Blocking: ${said(issue)} → ${oneLine(issue.required_action)}`),
    ...report.findings.map((finding) => `${finding.severity}: ${said(finding)}`),
    ...(report.revision_notes === null ? [] : [`Notes: ${oneLine(report.revision_notes)}`]),
  ].join("\n");
}

function said(at: { message: string; file?: string | undefined; line?: number | undefined }): string {
  const place = locationText(at);
  return place === "" ? oneLine(at.message) : `${place}: ${oneLine(at.message)}`;
}

function feedbackOf(report: ReviewReport): string {
  const issues = report.blocking_issues.map((issue) => `- ${said(issue)} Required: ${oneLine(issue.required_action)}`);
  const notes = block(report.revision_notes ?? "");
  return sanitise([notes, issues.join("\n")].filter(Boolean).join("\n\n"));
}
