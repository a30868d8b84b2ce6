import type { Finding, LoopEvent, LoopState, Policy, PullRequestRef, Report, SignalName } from "@anneal/types";
import { blocks } from "../findings/blocking.ts";
import { withSecrets } from "../findings/held-secrets.ts";
import { unjudgedMark } from "../gate/not-judged.ts";
import { acceptedDetail } from "./closing.ts";
import { earned, end, shared, wait } from "./exits.ts";
import { settled } from "./requested.ts";
import { roundsDone } from "./rounds.ts";

type Of<T extends LoopEvent["type"]> = Extract<LoopEvent, { type: T }>;
type At<S extends LoopState["stage"]> = Extract<LoopState, { stage: S }>;

export function prOpened(policy: Policy, state: At<"opening-pr">, { pr }: Of<"pr-opened">): LoopState {
  const { conflict: _, ...rest } = settled(state);
  const after = { ...rest, pr, breaks: 0 };
  if (pr.draft) return wait(policy, after, "ready-for-human", DRAFT, ["refine", "approve"]);
  if (policy.afterPr === "end") return delivered(after, `pull request ${pr.number}`);
  if (state.feedbackCycles > 0) {
    return readyForHuman(
      policy,
      after,
      earned(after) ? "the feedback is addressed" : "the feedback was worked on, but findings are still open",
    );
  }
  return { ...shared(after), stage: "awaiting-feedback", head: state.head, pr };
}

export function delivered(state: LoopState, detail: string): LoopState {
  if (state.acceptedBy !== undefined) return end(state, "accepted", `${acceptedDetail(state.acceptedBy)}; ${detail}`);
  return earned(state)
    ? end(state, "passed", `${detail}${unjudgedMark(state)}`)
    : end(state, "failed", `${detail}; the findings are still open`);
}

type Held = Of<"delivery-held">;

const HELD: Record<Held["reason"], readonly SignalName[]> = {
  "push-consent": ["retry", "take-over"],
  "never-publish": ["retry", "refine", "take-over"],
  "delivery-refused": ["retry", "refine", "take-over"],
};

export function held(policy: Policy, state: LoopState, event: Held): LoopState {
  const { reason, detail, secrets = [], about = [] } = event;
  const delivering = state.stage === "opening-pr" || state.stage === "merging";
  if (!delivering && !mayBeHeld(state, event)) return state;
  const findings = withSecrets(state.findings, secrets, Math.max(1, roundsDone(state)));
  // Commits do not change: the same push would be held for the same again.
  const options = HELD[reason].filter((option) => option !== "retry" || secrets.length + about.length === 0);
  const waiting = {
    ...wait(policy, { ...state, findings, breaks: 0 }, reason, detail, options),
    ...wayBack(state, event),
  };
  return about.length === 0 ? waiting : { ...waiting, kept: { ...waiting.kept, about } };
}

/** Whether a look at the forge may hold it: while it listens, and where a delivery is all that it waits to go on with. */
export function mayBeHeld(state: LoopState, { anew }: Pick<Held, "anew">): boolean {
  const delivers = state.stage === "waiting-for-human" && DELIVERS.includes(state.backTo);
  return listens(state) || (anew === true && delivers);
}

/** Stages in which nothing is left but to bring the change to where it goes. */
export const DELIVERS: readonly LoopState["stage"][] = ["opening-pr", "awaiting-feedback", "merging"];

function wayBack(state: LoopState, { anew }: Held): Partial<Pick<At<"waiting-for-human">, "backTo" | "kept">> {
  if (anew === true) {
    const kept = state.stage === "waiting-for-human" ? state.kept.draft : undefined;
    const draft = state.stage === "opening-pr" ? state.draft : (kept ?? state.pr?.draft === true);
    return { backTo: "opening-pr", kept: { draft, anew } };
  }
  // What looked ready listens again: where it had come from is over.
  return state.stage === "waiting-for-human" ? { backTo: "awaiting-feedback", kept: {} } : {};
}

/** Why a loop cannot take what the forge says now, or null where it can. */
export function ignoredFeedback(state: LoopState, event: Of<"feedback-received">): string | null {
  if (state.stage === "ended") return "the loop has ended";
  if (state.pr === null) return "the loop has no pull request";
  if (event.state === "closed") return null;
  if (event.state === "merged") return leftBehind(state, event);
  if (!listens(state) && state.stage !== "merging") return `the loop takes no message while ${state.stage}`;
  return event.head === state.head ? null : `the feedback is about ${event.head}, but the loop is at ${state.head}`;
}

/** What was merged before the loop went on is for whoever delivers what came after it to find. */
function leftBehind({ head, rounds }: LoopState, merged: Of<"feedback-received">): string | null {
  const isEarlier = merged.head !== head && rounds.some((round) => round.head === merged.head);
  return isEarlier ? `${merged.head} was merged, and the loop has moved on to ${head}` : null;
}

/** Feedback can arrive while the loop listens for it, and can reopen what looked ready. */
export function listens(state: LoopState): boolean {
  return (
    state.stage === "awaiting-feedback" || (state.stage === "waiting-for-human" && state.reason === "ready-for-human")
  );
}

export function feedback(policy: Policy, state: LoopState, event: Of<"feedback-received">): LoopState {
  if (event.state === "merged") return mergedByOthers(state, event);
  if (event.state === "closed") return end(state, "closed", "the pull request was closed");
  // Words about another head, approvals above all, do not hold for this one.
  if (event.head !== state.head || ignoredFeedback(state, event) !== null) return state;
  const problems = wanted(policy, event.report, event.checks);
  // What somebody says after an approval voids it.
  if (problems.length > 0) return address(policy, state, problems);
  if (state.stage === "merging") return state;
  if (event.checks === "pending" || event.checks === "failing") return state;
  if (event.state === "approved" && state.pr?.draft === true) {
    return readyForHuman(policy, state, "approved on the forge, but a draft must be approved here");
  }
  if (event.state === "approved") return { ...shared(state), stage: "merging", head: event.head, merge: null };
  return readyForHuman(policy, state, `no open feedback, ${event.checks === "none" ? "no checks" : "checks pass"}`);
}

function mergedByOthers(state: LoopState, { head }: Of<"feedback-received">): LoopState {
  const { pr, verdict } = state;
  const isOwn = head === state.head;
  if (pr === null || (isOwn && (pr.draft || verdict?.head === head)))
    return end(state, "merged", `merged on the forge${unreviewedMark(state)}`);
  const after = { ...shared(state), pr: { ...pr, mergedHead: head } };
  const why = isOwn ? "this commit has no finished review" : `this loop is at ${state.head}`;
  const detail = `somebody merged ${head}${unreviewedMark(after)}: ${why}`;
  return { ...after, stage: "ended", outcome: "merged", detail };
}

function wanted(policy: Policy, report: Extract<Report, { status: "complete" }>, checks: string): Finding[] {
  const problems = report.findings.filter((finding) => blocks(policy.pass, finding));
  if (problems.length > 0 || checks !== "failing") return problems;
  const title = "A check of the pull request fails";
  return [{ rule: "failing-check", category: "testing", severity: "high", title, description: report.summary }];
}

function address(policy: Policy, state: LoopState, problems: Finding[]): LoopState {
  const cycle = { ...state.cycle, reviews: 0, fixes: 0, granted: 0 };
  const fixing: LoopState = { ...shared(state), cycle, stage: "fixing", cause: "feedback", problems };
  if (state.feedbackCycles < policy.limits.feedback) return { ...fixing, feedbackCycles: state.feedbackCycles + 1 };
  const detail =
    policy.limits.feedback === 0
      ? "under this policy people handle the feedback"
      : "the pull request keeps getting feedback";
  return wait(policy, fixing, "feedback-exhausted", detail, ["refine", "ready", "take-over"]);
}

export function readyForHuman(policy: Policy, state: LoopState, detail: string): LoopState {
  if (state.pr?.draft !== true) return wait(policy, state, "ready-for-human", detail, ["approve", "refine"]);
  return wait(policy, state, "ready-for-human", `${DRAFT}; ${detail}`, ["refine", "approve"]);
}

const DRAFT = "a draft, NOT REVIEWED";

/** What nobody has reviewed stays marked as that, to its end. */
export function unreviewedMark(of: { pr: PullRequestRef | null }): string {
  return isUnreviewed(of) ? ", NOT REVIEWED" : "";
}

/** Whether nobody has reviewed what its pull request holds, or what was merged of it. */
export function isUnreviewed({ pr }: { pr?: PullRequestRef | null | undefined }): boolean {
  return pr?.draft === true || pr?.mergedHead !== undefined;
}
