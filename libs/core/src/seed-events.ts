import type { EventName, EventPayload, LoopEvent, LoopState } from "@anneal/types";
import { featureStatus } from "./feature-status.ts";
import { toCodeReviewFinding } from "./write/code-review-iteration.ts";

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
  const iterationNumber = (before?.rounds.length ?? 0) + 1;
  if (event.type === "intended" && event.stage === "reviewing") {
    const message =
      event.attempt === 1 ? "the reviewer is at work" : `the reviewer tries again (attempt ${event.attempt})`;
    events.push({ type: "feature:code-review-progress", payload: { featureId, iterationNumber, message } });
  }
  if (before !== null && after.rounds.length > before.rounds.length) events.push(...completed(featureId, after));
  if (waitsFor(after, "review-broke") && !waitsFor(before, "review-broke")) {
    const error = after.stage === "waiting-for-human" ? after.detail : "";
    events.push({ type: "feature:code-review-failed", payload: { featureId, error } });
  }
  if (waitsFor(after, "rounds-exhausted") && !waitsFor(before, "rounds-exhausted")) {
    events.push({ type: "feature:code-review-max-iterations", payload: { featureId } });
  }
  if (after.stage === "reviewing" && before?.stage !== "reviewing") {
    const payload = { featureId, iterationNumber: after.rounds.length + 1 };
    events.push({ type: "feature:code-review-started", payload });
  }
  return events;
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
    summary: report.summary,
  } as const;
  const outcome: SeedEvent = passes
    ? { type: "feature:code-review-approved", payload: { featureId, nextStatus: featureStatus(after) } }
    : {
        type: "feature:code-review-rejected",
        payload: { featureId, iterationNumber, rejectionReason: report.demand ?? verdict.reason },
      };
  return [{ type: "feature:code-review-completed", payload }, outcome];
}

function waitsFor(state: LoopState | null, reason: string): boolean {
  return state?.stage === "waiting-for-human" && state.reason === reason;
}
