import type { EventName, EventPayload, LoopEvent, LoopState } from "@anneal/types";
import { featureStatus } from "../items/feature-status.ts";
import { roundsDone } from "../loop/rounds.ts";
import { toCodeReviewFinding } from "./code-review-finding.ts";
import { reviewProgress } from "./feature-fields.ts";
import { certificateSummary } from "./held-back.ts";
import { rejectionReason } from "./rejection-reason.ts";

/** An event in a seed's own name and payload. */
export type SeedEvent = { [N in EventName]: { type: N; payload: EventPayload<N> } }[EventName];

/** What seed 000 announces when a feature's loop moves from one state to the next. Derived from the log alone. */
export function gateEvents(
  featureId: string,
  before: LoopState | null,
  event: LoopEvent,
  after: LoopState,
): SeedEvent[] {
  const events: SeedEvent[] = [];
  if (event.type === "intended" && event.stage === "reviewing") {
    const iterationNumber = roundsDone(before ?? after) + 1;
    const message = progress((before?.breaks ?? 0) + 1, event.attempt);
    events.push({ type: "feature:code-review-progress", payload: { featureId, iterationNumber, message } });
  }
  if (before !== null && after.rounds.length > before.rounds.length) events.push(...completed(featureId, after));
  else if (before !== null && isRejected(before) && isApproved(after)) events.push(approved(featureId, after));
  if (waitsFor(after, "review-broke") && !waitsFor(before, "review-broke")) {
    const error = after.stage === "waiting-for-human" ? after.detail : "";
    events.push({ type: "feature:code-review-failed", payload: { featureId, error } });
  }
  const ranOut = waitsFor(after, "rounds-exhausted") && !waitsFor(before, "rounds-exhausted");
  if (ranOut || isLastRejection(before, after)) {
    events.push({ type: "feature:code-review-max-iterations", payload: { featureId } });
  }
  if (after.stage === "reviewing" && before?.stage !== "reviewing") {
    const payload = { featureId, iterationNumber: roundsDone(after) + 1 };
    events.push({ type: "feature:code-review-started", payload });
  }
  return events;
}

/** A round was just rejected and no other is left, whatever way the loop goes from there. */
function isLastRejection(before: LoopState | null, after: LoopState): boolean {
  const round = after.rounds.at(-1);
  if (before === null || round === undefined || after.rounds.length === before.rounds.length) return false;
  return round.verdict.result === "fail" && round.number >= round.lastAllowed;
}

/** An attempt is over when its review breaks; one that a crash or a person cut off begins again with its number. */
function progress(attempt: number, begun: number): string {
  if (attempt === 1 && begun === 1) return "the reviewer is working";
  const times = begun === 1 ? "" : `, begun ${begun} times`;
  return `the reviewer retries (attempt ${attempt}${times})`;
}

function completed(featureId: string, after: LoopState): SeedEvent[] {
  const round = after.rounds.at(-1);
  if (round === undefined) return [];
  const { number: iterationNumber, report, verdict } = round;
  const passes = verdict.result === "pass";
  const findings = report.findings.map(toCodeReviewFinding);
  const payload = {
    featureId,
    iterationNumber,
    status: passes ? "approved" : "rejected",
    findings,
    summary: certificateSummary(report, verdict),
  } as const;
  const outcome: SeedEvent = passes
    ? approved(featureId, after)
    : {
        type: "feature:code-review-rejected",
        payload: { featureId, iterationNumber, rejectionReason: rejectionReason(report, verdict) },
      };
  return [{ type: "feature:code-review-completed", payload }, outcome];
}

function approved(featureId: string, after: LoopState): SeedEvent {
  return { type: "feature:code-review-approved", payload: { featureId, nextStatus: featureStatus(after) } };
}

function isRejected(state: LoopState): boolean {
  return reviewProgress(state)?.status === "rejected";
}

/** Also where a person has ruled on what a reviewer found, or has accepted it. */
function isApproved(state: LoopState): boolean {
  return reviewProgress(state)?.status === "approved";
}

function waitsFor(state: LoopState | null, reason: string): boolean {
  return state?.stage === "waiting-for-human" && state.reason === reason;
}
