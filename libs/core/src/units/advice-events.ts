import type { LoopEvent, LoopState } from "@anneal/types";
import type { SeedEvent } from "../seed-events.ts";
import { issuesOf } from "./review-result.ts";

/** What seed 004 announces when a unit's loop moves from one state to the next. Derived from the log alone. */
export function adviceEvents(before: LoopState | null, event: LoopEvent, after: LoopState): SeedEvent[] {
  const events: SeedEvent[] = [];
  if (before !== null && after.rounds.length > before.rounds.length) events.push(...reviewed(after));
  const error = reviewFailure(before, event, after);
  if (error !== null) events.push({ type: "codereview.failed", payload: { error } });
  if (isFixCommit(before, event)) events.push({ type: "codereview.fix_applied", payload: null });
  if (after.stage === "reviewing" && before?.stage !== "reviewing") {
    events.push({ type: "codereview.started", payload: null });
  }
  return events;
}

/** What seed 004 writes to the log for people, in the same place; failures of a fix have a line here and no event. */
export function adviceLines(before: LoopState | null, event: LoopEvent, after: LoopState): string[] {
  const lines = adviceEvents(before, event, after).flatMap((told): string[] => {
    if (told.type === "codereview.passed") return [`Code review passed: ${told.payload.summary}`];
    if (told.type === "codereview.failed") return [`Code review failed to run: ${told.payload.error}`];
    if (told.type !== "codereview.issues_found") return [];
    return [`Code review found ${told.payload.count} issues${after.stage === "fixing" ? ", attempting fix" : ""}`];
  });
  const failed = fixFailure(before, event, after);
  return failed === null ? lines : [...lines, failed];
}

function reviewed(after: LoopState): SeedEvent[] {
  const round = after.rounds.at(-1);
  if (round === undefined) return [];
  const { report, verdict } = round;
  const issues = issuesOf(report.findings, verdict);
  if (issues.length === 0) return [{ type: "codereview.passed", payload: { summary: report.summary } }];
  return [{ type: "codereview.issues_found", payload: { count: issues.length, issues } }];
}

/** Why a review came to nothing, once the loop goes on without it: broken and inconclusive are never a pass. */
function reviewFailure(before: LoopState | null, event: LoopEvent, after: LoopState): string | null {
  if (before?.stage !== "reviewing" || after.stage === "reviewing") return null;
  if (after.rounds.length > before.rounds.length) return null;
  if (event.type === "broke") return event.reason;
  if (event.type !== "reviewed") return null;
  if (event.report.status === "inconclusive") return event.report.reason;
  if (event.head !== before.head) return `the review was of ${event.head}, not of ${before.head}`;
  return "the review cannot be trusted, so it says nothing";
}

/** A commit after a review is the fix of that review, also when checks had to be satisfied first. */
function isFixCommit(before: LoopState | null, event: LoopEvent): boolean {
  return before?.stage === "committing" && event.type === "committed" && before.rounds.length > 0;
}

function fixFailure(before: LoopState | null, event: LoopEvent, after: LoopState): string | null {
  if (before === null || before.rounds.length === 0 || after.stage !== "merging") return null;
  if (event.type === "broke" && before.stage === "fixing") return `Fix attempt failed: ${event.reason}`;
  if (event.type === "broke" && before.stage === "committing") return `Failed to commit review fixes: ${event.reason}`;
  if (event.type === "commit-refused") {
    return `Failed to commit review fixes: ${event.findings[0]?.description ?? "a hook refused them"}`;
  }
  if (event.type === "validated" && event.result === "failed") {
    return `Fix attempt failed: ${event.findings[0]?.title ?? "the project's checks fail"}`;
  }
  return null;
}
