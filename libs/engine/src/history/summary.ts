import {
  blocks,
  boardColumn,
  isJudgement,
  isUnjudged,
  lastRound,
  leftBy,
  neverPublished,
  openFindings,
  refusal,
  roundsDone,
} from "@anneal/core";
import type { Spent } from "@anneal/core/agents";
import { badgeOf } from "@anneal/core/board";
import { reviewProgress } from "@anneal/core/write";
import type { FeatureStatus, LoopState, Policy, PullRequestRef, SignalName, TrackedFinding } from "@anneal/types";

/** What lists show of a loop without replaying it. It must not grow with the loop. */
export interface LoopSummary {
  title: string;
  policy: string;
  branch: string | null;
  /** The column that the log puts its item in. */
  status: FeatureStatus;
  /** Where its reviews stand in the words of seed 000; null before the first. */
  review: { status: string; currentIteration: number } | null;
  /** Where it stands in the words of its own seed; missing in the lines of older logs. */
  badge?: string | null;
  round: number;
  /** The last round that the policy and people's extra rounds allow. */
  maxRounds: number;
  /** The step of the custom pipeline that is worked on. */
  step: string | null;
  /** Why it waits or how it ended, in words. */
  detail: string;
  reason: string | null;
  outcome: string | null;
  /** What a person may say to it now. */
  legal: SignalName[];
  /** Once it has ended: where it left its branch, the head and the documents on top of it; missing in the lines of older logs. */
  left?: string[];
  /** Missing in the lines of logs from before there were any. */
  pr?: PullRequestRef | null;
  blockers: number;
  /** Findings among the blockers that a person may rule on; missing in the lines of older logs, as is the next. */
  rulable?: number;
  /** What the last reviewer did not see: how many files, and the first few with the reason. */
  unseen?: { files: number; first: string[] };
  /** The last review passed, and nobody judged the requirements. */
  unjudged?: true;
  resolved: number;
  costUsd: number;
  tokens: number;
  startedAt: number;
  lastAt: number;
}

const SIGNALS: readonly SignalName[] = [
  "approve",
  "accept",
  "refine",
  "ready",
  "retry",
  "resume",
  "one-more",
  "take-over",
  "skip",
  "pause",
  "stop",
];

/** What a person may say to a loop in this state. */
export function legalSignals(policy: Policy, state: LoopState): SignalName[] {
  return SIGNALS.filter((signal) => refusal(policy, state, signal) === null);
}

/** A loop's line for lists. `spent` is the whole loop's: a state only knows its running cycle. */
export function summaryOf(
  { title, branch, policy, kind = "feature" }: { title: string; branch: string | null; policy: Policy; kind?: string },
  state: LoopState,
  spent: Spent,
): LoopSummary {
  return {
    title,
    branch,
    policy: policy.name,
    status: boardColumn(kind, state),
    review: reviewProgress(state),
    badge: badgeOf(kind, policy, state),
    ...progressOf(policy, state),
    step: state.step,
    detail: "detail" in state ? state.detail : "",
    reason: state.stage === "waiting-for-human" ? state.reason : null,
    outcome: state.stage === "ended" ? state.outcome : null,
    legal: legalSignals(policy, state),
    ...(state.stage === "ended" && state.head !== null ? { left: [state.head, leftBy(state)] } : {}),
    pr: state.pr,
    rulable: rulable(policy, state).length,
    ...unseenIn(state),
    ...(isUnjudged(state) ? { unjudged: true as const } : {}),
    resolved: state.findings.filter(({ disposition }) => disposition.kind === "fixed").length,
    ...spent,
    startedAt: state.startedAt,
    lastAt: state.lastAt,
  };
}

/** How far a loop has come: the round that it works on, the last one it has, and what blocks. */
export function progressOf(policy: Policy, state: LoopState): Pick<LoopSummary, "round" | "maxRounds" | "blockers"> {
  const maxRounds = lastRound(policy, state);
  // The fix after the last review leads to no further round.
  const round = Math.max(roundsDone(state), Math.min(roundOf(state), maxRounds));
  return { round, maxRounds, blockers: blockersOf(policy, state) };
}

function roundOf(state: LoopState): number {
  const done = roundsDone(state);
  const producing = ["implementing", "validating", "committing", "reviewing", "fixing"].includes(state.stage);
  const closing = state.stage === "committing" && state.of === "documents";
  return producing && !closing && state.step === null ? done + 1 : done;
}

function blockersOf(policy: Policy, state: LoopState): number {
  const { verdict } = state;
  if (verdict?.verdict.result !== "fail") return 0;
  return openBlockers(policy, state).length + verdict.verdict.blocking.filter(isJudgement).length;
}

/** What a person may dismiss, take the risk of, or defer: the open findings that block, or what must not be published where that holds it. */
export function rulable(policy: Policy, state: LoopState): TrackedFinding[] {
  const heldBack = state.stage === "waiting-for-human" && state.reason === "never-publish";
  if (heldBack) return state.findings.filter((entry) => neverPublished(entry) || isNamed(state, entry));
  // Where it is on its way into another branch, no finding holds it up any more.
  if (state.stage === "waiting-for-human" && state.backTo === "merging") return [];
  return openBlockers(policy, state);
}

/** Whether a push is held for what this finding of a reviewer is about. */
function isNamed({ kept }: Extract<LoopState, { stage: "waiting-for-human" }>, entry: TrackedFinding): boolean {
  const isOpen = entry.disposition.kind === "open" || entry.disposition.kind === "deferred";
  return isOpen && kept.about?.includes(entry.fingerprint) === true;
}

function openBlockers(policy: Policy, { findings, verdict }: LoopState): TrackedFinding[] {
  if (verdict?.verdict.result !== "fail") return [];
  return openFindings(findings).filter(({ finding }) => blocks(policy.pass, finding));
}

const NAMED = 3;

function unseenIn({ rounds }: LoopState): Pick<LoopSummary, "unseen"> {
  const skipped = rounds.at(-1)?.coverage.skipped ?? [];
  if (skipped.length === 0) return {};
  const first = skipped.slice(0, NAMED).map(({ file, reason }) => `${file} (${reason})`);
  return { unseen: { files: skipped.length, first } };
}
