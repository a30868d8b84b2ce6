import type {
  Finding,
  FixCause,
  LoopEvent,
  LoopState,
  Policy,
  Seen,
  SignalName,
  Stage,
  TrackedFinding,
} from "@anneal/types";
import { blocks } from "../findings/blocking.ts";
import { isJudgement } from "../gate/gate.ts";
import { openFindings } from "../lineage/lineage.ts";
import { acceptedDetail, close } from "./closing.ts";
import { readyForHuman } from "./delivery.ts";
import { anewOf, anotherReview, end, newCycle, publish, shared, wait } from "./exits.ts";
import { outdated } from "./seen.ts";

type Signalled = Extract<LoopEvent, { type: "signalled" }>;
type Waiting = Extract<LoopState, { stage: "waiting-for-human" }>;

const WORKING: readonly Stage[] = [
  "implementing",
  "validating",
  "committing",
  "reviewing",
  "fixing",
  "opening-pr",
  "awaiting-feedback",
  "merging",
];

/** Where each signal is legal besides a wait that offers it. The tests print this as signal × stage × policy. */
export const LEGAL_STAGES: Record<SignalName, readonly Stage[]> = {
  skip: ["validating", "committing", "reviewing", "fixing"],
  retry: ["implementing", "validating", "reviewing", "fixing"],
  refine: ["awaiting-feedback"],
  ready: ["awaiting-feedback"],
  approve: [],
  accept: [],
  "take-over": [],
  "one-more": [],
  pause: WORKING,
  resume: [],
  stop: WORKING,
};

/** Why a signal cannot be taken now, in one sentence, or null where it can. What it is about may have changed since it was looked at. */
export function refusal(policy: Policy, state: LoopState, signal: SignalName, seen?: Seen): string | null {
  return impossible(policy, state, signal) ?? (seen === undefined ? null : outdated(state, signal, seen));
}

function impossible(policy: Policy, state: LoopState, signal: SignalName): string | null {
  if (state.stage === "ended") return "the loop has ended";
  if (signal === "skip" && policy.skip === "refused")
    return `review is required under ${policy.name}; it cannot be skipped`;
  if (signal === "skip" && state.head === null) return "there is no commit yet to open a pull request for";
  if (signal === "skip" && state.pr !== null) return "the pull request is already open";
  if (state.stage !== "waiting-for-human") {
    return LEGAL_STAGES[signal].includes(state.stage) ? null : `${signal} is not possible while ${state.stage}`;
  }
  if (state.options.includes(signal)) return null;
  return `${signal} is not possible while waiting (${state.reason}); possible: ${state.options.join(", ")}`;
}

/** Takes a person's signal, once per id; one that is not legal now changes nothing. */
export function heed(policy: Policy, before: LoopState, event: Signalled): LoopState {
  if (before.signals.includes(event.id) || refusal(policy, before, event.signal, event.seen) !== null) return before;
  const notes = event.note === undefined ? before.notes : [...before.notes, event.note];
  const state: LoopState = { ...before, notes, signals: [...before.signals, event.id] };
  switch (event.signal) {
    case "stop":
      return end(state, "stopped", `stopped by ${event.by}`);
    case "accept":
      // Without documents to commit nothing is left to do for it.
      if (state.documents === undefined) return end(state, "accepted", acceptedDetail(event.by));
      return close(policy, { ...state, acceptedBy: event.by }, "");
    case "take-over":
      return end(state, "blocked", `taken over by ${event.by}`);
    case "pause":
      return wait(policy, state, "paused", `paused by ${event.by}`, ["resume"]);
    case "skip":
      return publish(policy, state, {
        draft: true,
        reason: "ready-for-human",
        detail: `review skipped by ${event.by}`,
      });
    case "ready":
      return readyForHuman(policy, state, `marked ready by ${event.by}`);
    case "approve":
      return approve(policy, state);
    case "one-more":
      return fix(policy, { ...state, cycle: { ...state.cycle, granted: state.cycle.granted + 1 } }, "review");
    case "refine":
      return fix(policy, { ...state, ...newCycle(state) }, "person");
    case "retry":
      return {
        ...(state.stage === "waiting-for-human" ? back(policy, state) : state),
        breaks: 0,
        repairs: 0,
        notBefore: null,
      };
    case "resume":
      return state.stage === "waiting-for-human" ? resume(policy, state) : state;
  }
}

/** Records what a person decided about a finding. Why it is to be fixed after all is for whoever fixes it. */
export function dispose(state: LoopState, event: Extract<LoopEvent, { type: "finding-disposed" }>): LoopState {
  if (state.signals.includes(event.id)) return state;
  const { disposition: kind, by, reason } = event;
  const known = state.findings.some(({ fingerprint }) => fingerprint === event.fingerprint);
  const note = kind === "open" && known ? [`About finding ${event.fingerprint}: ${reason}`] : [];
  const findings = state.findings.map((entry) => {
    if (entry.fingerprint !== event.fingerprint) return entry;
    return { ...entry, disposition: kind === "open" ? { kind } : { kind, by, reason, ...placeOf(state, entry) } };
  });
  return { ...state, findings, notes: [...state.notes, ...note], signals: [...state.signals, event.id] };
}

/** Where a finding stands while it is ruled on. */
export function placeOf(
  { rounds, head }: Pick<LoopState, "rounds" | "head">,
  { finding, lastRound, heldIn }: TrackedFinding,
) {
  // Its own name is that of its place.
  if (heldIn !== undefined) return {};
  const { file, line, endLine } = finding;
  const seen = rounds.find(({ number }) => number === lastRound)?.head ?? head;
  if (file === undefined || line === undefined || seen === null) return {};
  return { on: { head: seen, file, line, endLine: Math.max(line, endLine ?? line) } };
}

function approve(policy: Policy, state: LoopState): LoopState {
  if (state.stage !== "waiting-for-human" || state.head === null) return state;
  if (state.reason === "ready-for-human") return { ...shared(state), stage: "merging", head: state.head, merge: null };
  return close(policy, state, "approved by a person");
}

/** After a pause or a cap the work goes on where it was; after the last round a new cycle begins with the open findings. */
function resume(policy: Policy, state: Waiting): LoopState {
  // The day's cap is not the loop's: its own rounds and budgets are as used as they were.
  const held = state.reason === "capped" && state.kept.cap === "day";
  if (state.reason === "paused" || held) return back(policy, state);
  const fresh = { ...state, ...newCycle(state) };
  const interrupted = state.reason === "capped" || state.head === null || state.rounds.length === 0;
  return interrupted ? back(policy, fresh) : fix(policy, fresh, "person");
}

function fix(policy: Policy, state: LoopState, cause: FixCause): LoopState {
  const problems = openFindings(state.findings)
    .map((entry) => entry.finding)
    .filter((finding) => blocks(policy.pass, finding));
  const found = problems.length > 0 ? problems : judgedBlockers(state);
  // What sent the loop here may be in no review: failing checks, words on the pull request.
  const titles = new Set(found.map((finding) => finding.title));
  const kept = state.stage === "waiting-for-human" ? (state.kept.problems ?? []) : [];
  const wanted = [...kept.filter((problem) => !titles.has(problem.title) && !isDisposed(state, problem)), ...found];
  // Everything open was ruled on and nobody asks for more: the change is judged again as it stands.
  if (wanted.length === 0 && state.notes.length === 0 && state.head !== null) {
    return anotherReview(policy, state, state.head);
  }
  const fixes = cause === "review" ? state.cycle.fixes + 1 : state.cycle.fixes;
  return { ...shared(state), cycle: { ...state.cycle, fixes }, stage: "fixing", cause, problems: wanted };
}

function isDisposed({ findings }: LoopState, problem: Finding): boolean {
  return findings.some((entry) => entry.finding.title === problem.title && entry.disposition.kind !== "open");
}

/** What blocks without being a finding of the reviewer: low scores and a bare rejection. */
function judgedBlockers({ verdict }: LoopState): Finding[] {
  const blocking = verdict?.verdict.result === "fail" ? verdict.verdict.blocking : [];
  return blocking.filter(isJudgement);
}

/** The stage that the wait interrupted, with what it had to know. */
function back(policy: Policy, state: Waiting): LoopState {
  const rest = shared(state);
  const { head, kept } = state;
  switch (state.backTo) {
    case "validating":
      return { ...rest, stage: "validating", of: kept.of ?? "implementation" };
    case "committing":
      return { ...rest, stage: "committing", of: kept.of ?? "implementation", plan: kept.plan ?? null };
    case "fixing":
      return { ...rest, stage: "fixing", cause: kept.cause ?? "person", problems: kept.problems ?? [] };
    case "reviewing":
      return head === null ? { ...rest, stage: "implementing" } : { ...rest, stage: "reviewing", head };
    case "merging":
      return head === null ? { ...rest, stage: "implementing" } : { ...rest, stage: "merging", head, merge: null };
    case "opening-pr":
      return publish(policy, state, {
        draft: kept.draft ?? false,
        reason: state.reason,
        detail: state.detail,
        ...anewOf(kept),
      });
    case "awaiting-feedback":
      if (head === null || state.pr === null) return { ...rest, stage: "implementing" };
      return { ...rest, stage: "awaiting-feedback", head, pr: state.pr };
    case "implementing":
      return { ...rest, stage: "implementing" };
  }
}
