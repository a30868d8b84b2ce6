import type { Finding, LoopEvent, LoopState, Policy, RedTests, ReviewAttempt } from "@anneal/types";
import { openFindings } from "../lineage/lineage.ts";
import { withStrays } from "../scope/strays.ts";
import { unseenIn } from "../unseen/unseen.ts";
import { assess } from "./assess.ts";
import { capExceeded, deadlineOf, isPaid, spend } from "./budget.ts";
import { claimed } from "./claimed.ts";
import { documented, documentsRefused, dueAgain } from "./closing.ts";
import { delivered, feedback, held, prOpened } from "./delivery.ts";
import { alsoAsBefore, anotherReview, holdForDay, isHalfBuilt, leave, leaveAtLimit, shared, wait } from "./exits.ts";
import { failed } from "./failing.ts";
import { conflicted, merged, mergeNext, resolved } from "./merging.ts";
import { judgedAnew, passed } from "./passing.ts";
import { redTogether } from "./red-tests.ts";
import { settled, workedOn } from "./requested.ts";
import { lastRound, roundsDone } from "./rounds.ts";
import { dispose, heed } from "./signals.ts";
import { stuckOnAll, unlisted } from "./stuck.ts";

type Of<T extends LoopEvent["type"]> = Extract<LoopEvent, { type: T }>;
type At<S extends LoopState["stage"]> = Extract<LoopState, { stage: S }>;

/** The first state of a loop: an existing branch starts at its review, new work at its implementation, finished work at its merge. */
export function start(event: Of<"loop-started">): LoopState {
  const { at, base, head, needsApproval, steps, tasks = [], earlierRounds = 0, documents, checks } = event;
  const { droppedRounds } = event;
  const state: At<"implementing"> = {
    stage: "implementing",
    base,
    head,
    verdict: null,
    earlierRounds,
    rounds: [],
    attempt: null,
    findings: [],
    cycle: { reviews: 0, fixes: 0, granted: 0, tokens: 0, costUsd: 0, startedAt: at },
    fixes: [],
    repairs: 0,
    breaks: 0,
    feedbackCycles: 0,
    pr: null,
    needsApproval,
    tasks,
    steps,
    step: null,
    outputs: [],
    asked: null,
    tree: null,
    notes: [],
    ...(droppedRounds === undefined ? {} : { droppedRounds }),
    ...(documents === undefined ? {} : { documents }),
    ...(checks === undefined ? {} : { checks }),
    signals: [],
    notBefore: null,
    startedAt: at,
    lastAt: at,
  };
  const merging = mergeNext(state, event.merges);
  if (merging !== null) return merging;
  return head === null ? state : anotherReview(event.policy, state, head);
}

/** The whole decision logic of Anneal. Total and pure: an event that does not fit the stage changes nothing. */
export function advance(policy: Policy, before: LoopState, event: LoopEvent): LoopState {
  if (event.type === "replay-differed") return wait(policy, spend(before, event), "replay-differs", event.detail, []);
  if (before.stage === "ended" || (isReplayLost(before) && event.type !== "signalled")) return before;
  const after = react(policy, spend(before, event), event);
  // An attempt that is only intended has not changed anything: stopping here would lose the work that follows it.
  if (event.type === "intended" || event.type === "abandoned") return after;
  const over = capExceeded(policy, after);
  return over === null ? after : leaveAtLimit(policy, after, policy.exits.capped, "capped", over);
}

/** Whether the loop's state is unknown: only a person's signal ends it. */
export function isReplayLost(state: LoopState): boolean {
  return state.stage === "waiting-for-human" && state.reason === "replay-differs";
}

/** Folds a log into its state; null for a log that does not begin with a start. */
export function replay(events: readonly LoopEvent[]): { policy: Policy; state: LoopState } | null {
  const [first, ...rest] = events;
  if (first?.type !== "loop-started") return null;
  return { policy: first.policy, state: rest.reduce((s, e) => advance(first.policy, s, e), start(first)) };
}

function react(policy: Policy, state: LoopState, event: LoopEvent): LoopState {
  switch (event.type) {
    case "implemented":
      return state.stage === "implementing" ? implemented(policy, state, event) : state;
    case "validated":
      return state.stage === "validating" ? validated(policy, state, event) : state;
    case "commit-refused":
      if (state.stage !== "committing") return state;
      if (state.of === "documents") return documentsRefused(policy, state, event.findings);
      return repair(policy, state, event.findings);
    case "nothing-to-commit":
      if (state.stage !== "committing") return state;
      return state.of === "documents" ? documented(policy, state, null) : unchanged(policy, state, state.of);
    case "commit-prepared":
      return state.stage === "committing" ? { ...state, plan: event.plan } : state;
    case "committed":
      return state.stage === "committing" ? committed(policy, state, event) : state;
    case "reviewed":
      return state.stage === "reviewing" ? reviewed(policy, state, event) : state;
    case "fixed":
      return state.stage === "fixing" ? fixed(policy, state, event) : state;
    case "broke":
      if (state.stage !== event.stage) return state;
      // The cap itself leads on from here; where none is met, it is a break like any other.
      if (event.outOfTime && capExceeded(policy, state) !== null) return state;
      if (event.misconfigured !== undefined) return misconfigured(policy, state, event.reason);
      return broke(policy, attempted(state, event.review), event.reason, event.lasting);
    case "capped":
      return isPaid(state.stage) ? holdForDay(policy, state, event.detail) : state;
    case "pr-opened":
      return state.stage === "opening-pr" ? opened(policy, state, event) : state;
    case "delivery-skipped":
      return state.stage === "opening-pr" || state.stage === "merging" ? delivered(state, event.reason) : state;
    case "delivery-held":
      return held(policy, state, event);
    case "feedback-received":
      return state.pr === null ? state : feedback(policy, state, event);
    case "merge-prepared":
      return state.stage === "merging" ? { ...state, merge: event.plan } : state;
    case "merged":
      return state.stage === "merging" ? merged(state, event) : state;
    case "merge-conflicted":
      return conflicted(policy, state, event);
    case "conflict-resolved":
      return resolved(state, event);
    case "signalled":
      return heed(policy, state, event);
    case "finding-disposed":
      return judgedAnew(policy, state, dispose(state, event), event);
    case "loop-started":
    case "replay-differed":
    case "intended":
    case "abandoned":
      return state;
  }
}

function implemented(policy: Policy, state: At<"implementing">, event: Of<"implemented">): LoopState {
  const of = state.step === null ? "implementation" : "step";
  const asked = of === "step" ? state.asked : (event.prompt ?? state.asked);
  const after = { ...state, ...produced(state, event), asked, breaks: 0 };
  // A task may have been done already by the one before it; its own check says so.
  const worthChecking = event.changed || isHalfBuilt(state);
  return worthChecking ? { ...shared(after), stage: "validating", of } : unchanged(policy, after, of);
}

/** A task is built: the next one, or the review of them all. */
function nextTask(policy: Policy, state: LoopState): LoopState {
  const tasks = state.tasks.slice(1);
  if (tasks.length > 0) return { ...shared(state), tasks, repairs: 0, stage: "implementing" };
  if (state.head !== null) return anotherReview(policy, { ...state, tasks }, state.head);
  return wait(policy, { ...shared(state), stage: "implementing" }, "no-change", "no task changed anything", ["retry"]);
}

/** What an agent left behind: the tree that the next stage works on, and its words for the round to come. */
function produced(
  state: LoopState,
  { changed, tree, output }: Of<"implemented" | "fixed">,
): Pick<LoopState, "tree" | "outputs"> {
  const step = state.step === null ? {} : { step: state.step };
  const said = output === null ? [] : [{ round: roundsDone(state) + 1, ...step, output }];
  return { tree: changed ? tree : state.tree, outputs: [...state.outputs, ...said] };
}

function validated(policy: Policy, state: At<"validating">, event: Of<"validated">): LoopState {
  const settled = event.checks === undefined ? state : { ...state, checks: event.checks };
  if (event.result === "failed") return repair(policy, settled, event.findings, event.tests);
  return { ...shared(settled), breaks: 0, stage: "committing", of: state.of, plan: null };
}

/** What the project's own checks refuse goes back to the fixer; it was never committed, so no round is spent. */
function repair(policy: Policy, { refused, ...state }: LoopState, problems: Finding[], red?: RedTests): LoopState {
  const { repairs, tree, head, base } = state;
  const fixing: LoopState = { ...shared(state), repairs: repairs + 1, stage: "fixing", cause: "validation", problems };
  const tests = redTogether(refused?.tests, red);
  const kept = { tree: refused?.tree ?? tree ?? head ?? base, problems, ...(tests === undefined ? {} : { tests }) };
  if (repairs < policy.limits.repairs) return { ...fixing, refused: kept };
  const detail = problems.length === 0 ? "the project's checks fail" : stuckOnAll(problems);
  // Whoever sends it back to work has seen what it came to.
  return leave(policy, { ...fixing, repairs: 0 }, policy.exits.validationFailed, "validation-failed", detail);
}

function committed(
  policy: Policy,
  { refused: _, claims: __, ...state }: At<"committing">,
  event: Of<"committed">,
): LoopState {
  if (state.of === "documents") return documented(policy, state, event.head);
  const isFix = state.rounds.length > 0 && state.step === null;
  const { head, regions, scope = {} } = event;
  const round = roundsDone(state);
  const unnamed = scope.unnamed === undefined ? {} : { unnamed: scope.unnamed };
  const fixes = !isFix ? state.fixes : [...state.fixes, { round, regions, ...unnamed }];
  const findings = event.scope === undefined ? state.findings : withStrays(state.findings, scope, { round, head });
  const counts = { attempt: null, repairs: 0, breaks: 0 };
  const after = { ...state, head, findings, tree: null, fixes, ...counts, ...dueAgain(state) };
  if (isHalfBuilt(state)) return nextTask(policy, after);
  return state.step !== null ? passed(policy, after) : anotherReview(policy, after, event.head);
}

function opened(policy: Policy, state: At<"opening-pr">, { pr, conflict, ...event }: Of<"pr-opened">): LoopState {
  // Where the loop ends with its pull request, the rest is for whoever merges that.
  if (conflict === undefined || policy.afterPr === "end") return prOpened(policy, state, { ...event, pr });
  return conflicted(policy, { ...state, pr }, conflict);
}

function reviewed(policy: Policy, state: At<"reviewing">, event: Of<"reviewed">): LoopState {
  if (event.head !== state.head) return broke(policy, state, `the review is of ${event.head}, not of ${state.head}`);
  const tried = attempted(state, event);
  if (event.report.status === "inconclusive") return broke(policy, tried, event.report.reason);
  const { head, requirementsJudged, at, by, diff, coverage } = event;
  const number = roundsDone(state) + 1;
  const seen = { ...event, report: event.report, round: number, lastFix: state.fixes.at(-1) };
  const { report, findings, verdict } = assess(policy, state.findings, seen);
  if (verdict.result === "inconclusive") return broke(policy, tried, verdict.reason);
  const unseen = verdict.result === "pass" ? unseenIn(coverage) : undefined;
  // What was shown in part is shown in the same way again.
  if (unseen !== undefined) return broke(policy, tried, unseen, coverage.reviewed.length > 0);
  const lastAllowed = lastRound(policy, state);
  const after: At<"reviewing"> = {
    ...(verdict.result === "pass" ? settled(state) : state),
    findings,
    verdict: { head, verdict, requirementsJudged },
    rounds: [...state.rounds, { number, head, reviewedAt: at, report, verdict, by, diff, coverage, lastAllowed }],
    attempt: null,
    cycle: { ...state.cycle, reviews: state.cycle.reviews + 1 },
    breaks: 0,
  };
  return verdict.result === "pass" ? passed(policy, after) : failed(policy, after, verdict.blocking);
}

/** Remembers who reviewed what: where the review comes to nothing, that is all there is to show. */
function attempted<S extends LoopState>(state: S, review: ReviewAttempt | undefined): S {
  return review === undefined ? state : { ...state, attempt: { by: review.by, diff: review.diff } };
}

function fixed(policy: Policy, state: At<"fixing">, event: Of<"fixed">): LoopState {
  const evidence = new Map(event.refutations.map((r) => [r.fingerprint, r.evidence]));
  const refutes = openFindings(state.findings).some((entry) => evidence.has(entry.fingerprint));
  const findings = state.findings.map((entry) => {
    const refutation = entry.disposition.kind === "open" ? evidence.get(entry.fingerprint) : undefined;
    return refutation === undefined ? entry : { ...entry, refutation };
  });
  const after = { ...state, ...produced(state, event), ...workedOn(state), findings, notes: [], breaks: 0 };
  if (event.changed) return { ...shared(after), claims: claimed(state, event), stage: "validating", of: state.cause };
  if (refutes && state.head !== null) return anotherReview(policy, after, state.head);
  return unchanged(policy, after, state.cause);
}

/** Work that changed nothing: there is nothing to review, and another paid round would say the same. */
function unchanged(policy: Policy, state: LoopState, of: Exclude<At<"committing">["of"], "documents">): LoopState {
  if (of === "step") return passed(policy, state);
  // A person has committed it already.
  if (of === "resolution") return anotherReview(policy, state, state.head ?? state.base);
  if (isHalfBuilt(state) && state.stage === "committing") return nextTask(policy, state);
  // What was never committed and now changes nothing has to be built anew.
  if (of === "implementation" || (of === "validation" && state.head === null && state.stage !== "fixing")) {
    return wait(policy, { ...shared(state), stage: "implementing" }, "no-change", "the agent changed nothing", [
      "retry",
    ]);
  }
  const blocking = state.verdict?.verdict.result === "fail" ? state.verdict.verdict.blocking : [];
  const problems = state.stage === "fixing" ? state.problems : blocking;
  const fixing: LoopState = { ...shared(state), stage: "fixing", cause: of, problems };
  const exit = of === "validation" ? policy.exits.validationFailed : policy.exits.roundsRunOut;
  const unnamed = unlisted(state, problems);
  const stuck = unnamed.length === 0 ? "" : `; ${stuckOnAll(unnamed)}`;
  return leave(policy, fixing, exit, "stalled", `the fix changed nothing and refuted nothing${stuck}`);
}

/** No policy goes on without the checks that it was to be judged by, and no agent can correct the settings. */
function misconfigured(policy: Policy, { checks: _, ...state }: LoopState, reason: string): LoopState {
  return wait(policy, { ...state, breaks: 0 }, "misconfigured", reason, ["retry"]);
}

/** A break is not a round: it is retried with growing pauses, and then leaves by the policy's exit. */
function broke(policy: Policy, state: LoopState, reason: string, lasting = false): LoopState {
  const breaks = state.breaks + 1;
  const { retries, retryBackoffMs } = policy.limits;
  if (breaks <= retries && !lasting) {
    const paused = state.lastAt + retryBackoffMs * 2 ** (breaks - 1);
    return { ...state, breaks, notBefore: Math.min(paused, deadlineOf(policy, state) ?? paused) };
  }
  const spent = { ...state, breaks: 0 };
  const documenting = state.stage === "committing" && state.of === "documents";
  const delivering =
    documenting || state.stage === "opening-pr" || state.stage === "merging" || state.stage === "awaiting-feedback";
  if (delivering) return wait(policy, spent, "step-broke", reason, ["retry"]);
  const { broke: exit } = policy.exits;
  return state.stage === "reviewing"
    ? leave(policy, spent, alsoAsBefore(policy, state, exit), "review-broke", reason)
    : leave(policy, spent, exit, "step-broke", reason);
}
