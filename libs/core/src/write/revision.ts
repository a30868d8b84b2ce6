import type { ReviewHistoryEntry, ReviewReport, RevisionContext } from "@anneal/types";
import { indentRest } from "../text/markdown.ts";
import { sanitiseDeep } from "../text/sanitise.ts";
import { block, locationText, oneLine } from "../text/text.ts";
import { DIMENSION_WEIGHTS, isDimension } from "./ticket-report.ts";

/** What the builder gets for a revision (seed 002), or why there is nothing to revise. */
export function revisionContext(args: {
  originalTicket: string;
  report: ReviewReport;
  history?: readonly ReviewHistoryEntry[];
}): RevisionContext | { error: string } {
  const { report, history } = args;
  if (report.status === "pass") return { error: "The review passed: there is nothing to revise." };
  if (report.blocking_issues.length === 0 && block(report.revision_notes ?? "") === "") {
    return { error: "The review failed without a blocking issue or revision notes, so there is nothing to revise." };
  }
  return {
    original_ticket: args.originalTicket,
    review_report: sanitiseDeep(report),
    revision_instructions: revisionInstructions(report),
    ...(history !== undefined && { review_history: sanitiseDeep([...history]) }),
  };
}

/** The builder's instructions for a revision, under the seed's headings and in its order. */
export function revisionInstructions(untrusted: ReviewReport): string {
  const report = sanitiseDeep(untrusted);
  return [
    "REVISION REQUIRED",
    "A review of your work on this ticket found that it cannot be completed yet.",
    `Review Status: ${report.status.toUpperCase()}\nOverall Score: ${report.overall_score}/100`,
    `BLOCKING ISSUES:\n${blockingText(report)}`,
    `REQUIRED CHANGES:\n${block(report.revision_notes ?? "") || "None beyond the blocking issues."}`,
    `DIMENSION SCORES:\n${scoresText(report)}`,
    [
      "Resolve every blocking issue and make every required change.",
      "Keep what already works as it is.",
      "Run the tests again before you finish.",
    ].join("\n"),
  ].join("\n\n");
}

function blockingText(report: ReviewReport): string {
  if (report.blocking_issues.length === 0) return "None.";
  return report.blocking_issues
    .map((issue, index) => {
      const place = locationText(issue);
      const lines = [`${index + 1}. [${issue.dimension}] ${indentRest(block(issue.message), 3)}`];
      if (place !== "") lines.push(`   File: ${place}`);
      lines.push(`   Required action: ${indentRest(block(issue.required_action), 3)}`);
      return lines.join("\n");
    })
    .join("\n");
}

function scoresText(report: ReviewReport): string {
  return Object.keys(DIMENSION_WEIGHTS)
    .filter(isDimension)
    .map((dimension) => {
      const { score, weight } = report.dimension_scores[dimension];
      return `- ${dimension}: ${score}/100 (${oneLine(weight)})`;
    })
    .join("\n");
}

/** One review in the short form of a ticket's history. */
export function toHistoryEntry(report: ReviewReport): ReviewHistoryEntry {
  return {
    attempt: report.revision_count,
    reviewed_at: report.reviewed_at,
    status: report.status,
    overall_score: report.overall_score,
    blocking_issues_count: report.blocking_issues.length,
    revision_notes: report.revision_notes,
  };
}
