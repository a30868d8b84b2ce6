import type { LoopEvent, LoopState, RefinementResult, ReviewLoopState, WaitReason } from "@anneal/types";
import { openFindings } from "../lineage/lineage.ts";
import { requestedIn } from "../loop/requested.ts";
import type { SeedEvent } from "../write/seed-events.ts";
import { analysisOf } from "./analysis.ts";
import { toReviewIssue, toReviewResult } from "./review-result.ts";
import { sessionOf, sessionState } from "./session.ts";
import { passage } from "./transitions.ts";

/** What seed 001 announces when a loop moves from one state to the next. Derived from the log alone. */
export function reviewLoopEvents(
  featureId: string,
  before: LoopState | null,
  event: LoopEvent,
  after: LoopState,
): SeedEvent[] {
  if (before?.stage === "ended") return [];
  return [
    ...(before === null ? [] : worked(featureId, before, event, after)),
    ...feedbackEvents(featureId, before, event),
    ...moved(featureId, before, after),
    ...asked(featureId, before, after),
  ];
}

function worked(featureId: string, before: LoopState, event: LoopEvent, after: LoopState): SeedEvent[] {
  const round = after.rounds.length > before.rounds.length ? after.rounds.at(-1) : undefined;
  const events: SeedEvent[] = [];
  // What a refinement was worth is known from the next review, or at once where it changed nothing.
  const refined = round !== undefined && (before.rounds.length > 0 || before.requested !== undefined);
  const stalled = event.type === "fixed" && before.stage === "fixing" && !event.changed && after.stage !== "reviewing";
  if (refined || stalled) {
    const result = refinement(before, after, stalled);
    events.push({ type: "review-loop:refinement-completed", payload: { featureId, result } });
  }
  if (round !== undefined) {
    const result = toReviewResult(after, round);
    events.push({ type: "review-loop:review-completed", payload: { featureId, result } });
  }
  return events;
}

function refinement(before: LoopState, after: LoopState, stalled: boolean): RefinementResult {
  const was = openFindings(before.findings).map(({ fingerprint }) => fingerprint);
  const now = new Map(after.findings.map((entry) => [entry.fingerprint, entry]));
  const ended = (kind: string) => was.filter((id) => now.get(id)?.disposition.kind === kind);
  const known = new Set(before.findings.map(({ fingerprint }) => fingerprint));
  const fresh = after.findings.filter(({ fingerprint, origin }) => !known.has(fingerprint) && origin.kind === "fix");
  // No review speaks of what was asked for on the pull request; a pass of the whole settles it, as its answer there says.
  const requested = requestedIn(before).map((finding) => finding.rule ?? finding.title);
  const settled = !stalled && after.rounds.at(-1)?.verdict.result === "pass";
  const addressedIssueIds = [...(settled ? requested : []), ...ended("fixed")];
  const refuted = ended("refuted").length;
  const notes = [
    stalled
      ? "Nothing was changed."
      : `${addressedIssueIds.length} of ${requested.length + was.length} issues are gone.`,
    ...(refuted > 0 ? [`Refuted: ${refuted}.`] : []),
    ...(fresh.length > 0 ? [`New since the refinement: ${fresh.length}.`] : []),
  ].join(" ");
  return {
    addressedIssueIds,
    unaddressedIssueIds: [...(settled ? [] : requested), ...ended("open")],
    newIssuesIntroduced: fresh.map(({ finding, fingerprint }) => toReviewIssue(finding, fingerprint)),
    notes,
  };
}

function feedbackEvents(featureId: string, before: LoopState | null, event: LoopEvent): SeedEvent[] {
  // Words about another head are not for this one.
  if (event.type !== "feedback-received" || before?.pr == null || event.head !== before.head) return [];
  const feedback = analysisOf(event.report);
  const { actionableIssues, questionsToAnswer, requiresHumanDecision } = feedback;
  if (actionableIssues.length + questionsToAnswer.length + requiresHumanDecision.length === 0) return [];
  return [{ type: "review-loop:pr-feedback-received", payload: { featureId, feedback } }];
}

/** Every state on the way, each with the session as it is then. A loop that ends without a pull request stays where it was. */
function moved(featureId: string, before: LoopState | null, after: LoopState): SeedEvent[] {
  const session = sessionOf(featureId, after);
  if (session === null || (after.stage === "ended" && after.outcome !== "merged" && after.pr === null)) return [];
  let previousState: ReviewLoopState = (before === null ? null : sessionState(before)) ?? "pending_self_review";
  return passage(previousState, session.state, before ?? { rounds: [], pr: null }, after).map((newState) => {
    const payload = { featureId, previousState, newState, session: { ...session, state: newState } };
    previousState = newState;
    return { type: "review-loop:state-changed", payload };
  });
}

/** Waits that are part of the plan; every other one is trouble. */
const PLANNED: readonly WaitReason[] = ["ready-for-human", "approval", "requirements-not-judged", "paused"];

function asked(featureId: string, before: LoopState | null, after: LoopState): SeedEvent[] {
  if (after.stage !== "waiting-for-human") return [];
  const same = before?.stage === "waiting-for-human" && before.reason === after.reason;
  if (same) return [];
  if (after.reason === "ready-for-human" && after.pr !== null && !after.pr.draft) {
    const payload = { featureId, prUrl: after.pr.url, summary: readySummary(after) };
    return [{ type: "review-loop:ready-for-human", payload }];
  }
  if (PLANNED.includes(after.reason)) return [];
  const options = after.detail.includes("possible: ") ? "" : `; possible: ${after.options.join(", ")}`;
  const error = `${(after.detail || after.reason).replace(/\.$/u, "")}${options}`;
  const stage = sessionState(after) ?? "pending_self_review";
  return [{ type: "review-loop:error", payload: { featureId, error, stage } }];
}

function readySummary(state: Extract<LoopState, { stage: "waiting-for-human" }>): string {
  const open = openFindings(state.findings).length;
  const left = open === 0 ? "no open issues" : counted(open, "open issue");
  return `${state.detail}; ${counted(state.rounds.length, "iteration")}, ${left}`;
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
