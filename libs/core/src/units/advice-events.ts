import type { Finding, LoopEvent, LoopState } from "@anneal/types";
import { isOfHook } from "../loop/commit-hook.ts";
import type { SeedEvent } from "../write/seed-events.ts";
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
  const lines = adviceEvents(before, event, after).flatMap((one): string[] => {
    if (one.type === "codereview.passed") return [`Code review passed: ${one.payload.summary}`];
    if (one.type === "codereview.failed") return [`Code review failed to run: ${one.payload.error}`];
    if (one.type !== "codereview.issues_found") return [];
    return [`Code review found ${one.payload.count} issues${after.stage === "fixing" ? ", attempting fix" : ""}`];
  });
  return [...lines, ...fixFailures(before, event, after)];
}

function reviewed(after: LoopState): SeedEvent[] {
  const round = after.rounds.at(-1);
  if (round === undefined) return [];
  const { report, verdict } = round;
  const issues = issuesOf(report.findings, verdict);
  if (issues.length === 0) return [{ type: "codereview.passed", payload: { summary: report.summary } }];
  return [{ type: "codereview.issues_found", payload: { count: issues.length, issues } }];
}

/** Why a review has no result, once the loop goes on without it: broken and inconclusive are never a pass. */
function reviewFailure(before: LoopState | null, event: LoopEvent, after: LoopState): string | null {
  if (before?.stage !== "reviewing" || after.stage === "reviewing") return null;
  if (after.rounds.length > before.rounds.length) return null;
  if (event.type === "broke") return event.reason;
  if (event.type !== "reviewed") return null;
  if (event.report.status === "inconclusive") return event.report.reason;
  if (event.head !== before.head) return `the review was of ${event.head}, not of ${before.head}`;
  return "the review cannot be trusted and does not count";
}

/** A commit after a review is the fix of that review, also when checks had to be satisfied first. */
function isFixCommit(before: LoopState | null, event: LoopEvent): boolean {
  return before?.stage === "committing" && event.type === "committed" && before.rounds.length > 0;
}

/** Why the loop goes on to the merge without a fix that it was to have; nothing where the fixer saw nothing to change. */
function fixFailures(before: LoopState | null, event: LoopEvent, after: LoopState): string[] {
  if (before === null || before.rounds.length === 0 || after.stage !== "merging") return [];
  const refused = before.stage === "fixing" && before.cause === "validation" ? [refusal(before.problems)] : [];
  switch (event.type) {
    case "fixed":
      return refused;
    case "broke":
      return [...refused, ...broken(before.stage, event.reason)];
    case "validated":
      return event.result === "failed" ? [refusal(event.findings)] : [];
    case "commit-refused":
      return [refusal(event.findings)];
    case "nothing-to-commit":
      return before.stage === "committing" && before.of === "validation" ? [TAKEN_BACK] : [];
    default:
      return [];
  }
}

const TAKEN_BACK = "Fix attempt failed: the refused changes were undone, and no change is left";

function broken(stage: LoopState["stage"], reason: string): string[] {
  if (stage === "fixing" || stage === "validating") return [`Fix attempt failed: ${reason}`];
  return stage === "committing" ? [`Failed to commit review fixes: ${reason}`] : [];
}

/** What a hook refuses was about to be committed; what the checks refuse is no fix yet. */
function refusal([first]: readonly Finding[]): string {
  if (first === undefined) return "Fix attempt failed: the project's checks fail";
  if (!isOfHook(first)) return `Fix attempt failed: ${first.title}`;
  return `Failed to commit review fixes: ${first.description || "a hook refused them"}`;
}
