import type { CodeReviewSpec, FeatureStatus, LoopState, Policy, Round } from "@anneal/types";
import { featureStatus } from "../items/feature-status.ts";
import { earned } from "../loop/exits.ts";
import { lastRound, roundsDone } from "../loop/rounds.ts";
import { type ReviewedIteration, toCodeReviewIteration, toShownIteration } from "./code-review-iteration.ts";
import { reviewMarkdown } from "./review-markdown.ts";

/** The fields of feature.json that the log owns. */
export interface FeatureFields {
  status: FeatureStatus;
  codeReviewSpec?: CodeReviewSpec;
}

/** The text of a stored diff. */
type DiffOf = (blob: string) => string;

/** Projects a loop into its feature (seed 000). What `written` holds from before this loop stays as it is. */
export function featureFields(
  policy: Policy,
  state: LoopState,
  diffOf: DiffOf,
  written?: CodeReviewSpec | undefined,
): FeatureFields {
  const status = featureStatus(state);
  const spec = codeReviewSpec(policy, state, diffOf);
  if (spec === null) return { status, ...cutOff(written) };
  const earlier = written?.iterations.filter(({ iterationNumber }) => iterationNumber <= state.earlierRounds) ?? [];
  return { status, codeReviewSpec: { ...written, ...spec, iterations: [...earlier, ...spec.iterations] } };
}

/** A first review that was stopped or paused has left nothing but its beginning: it is still to come. */
function cutOff(written: CodeReviewSpec | undefined): Pick<FeatureFields, "codeReviewSpec"> {
  return written?.status === "reviewing" ? { codeReviewSpec: { ...written, status: "pending" } } : {};
}

/** The reviews of a loop as feature.json holds them, or null while nothing has come to a review. */
export function codeReviewSpec(policy: Policy, state: LoopState, diffOf: DiffOf): CodeReviewSpec | null {
  const standing = reviewProgress(state);
  if (standing === null) return null;
  const iterations = state.rounds.map((round) => toCodeReviewIteration(reviewedOf(round, diffOf)));
  const broken = brokenReview(state, diffOf);
  return {
    status: standing.status,
    currentIteration: standing.currentIteration,
    maxIterations: policy.limits.reviews,
    iterations: broken === null ? iterations : [...iterations, toCodeReviewIteration(broken)],
  };
}

/** Where the reviews of a loop stand, whatever they hold; null while nothing has come to a review. */
export function reviewProgress(state: LoopState): Pick<CodeReviewSpec, "status" | "currentIteration"> | null {
  const running = state.stage === "reviewing" || isBroken(state);
  if (state.rounds.length === 0 && !running) return null;
  return { status: specStatus(state), currentIteration: roundsDone(state) + (running ? 1 : 0) };
}

/** Whether a later state of a loop leaves everything in its feature's files as the earlier one did. Decided without looking through its history. */
export function leavesSameFiles(earlier: LoopState, later: LoopState): boolean {
  if (earlier === later) return true;
  // What broke carries the time and the words of this very state.
  if (isBroken(earlier) || isBroken(later)) return false;
  const [before, now] = [reviewProgress(earlier), reviewProgress(later)];
  return (
    featureStatus(earlier) === featureStatus(later) &&
    before?.status === now?.status &&
    before?.currentIteration === now?.currentIteration &&
    earlier.rounds.length === later.rounds.length &&
    earlier.rounds.at(-1) === later.rounds.at(-1) &&
    earlier.outputs.length === later.outputs.length
  );
}

/** The file of one round's review. */
export interface ReviewFile {
  iterationNumber: number;
  markdown: string;
}

export function reviewFileOf(title: string, round: Round, diffOf: DiffOf): ReviewFile {
  return reviewFile(title, reviewedOf(round, diffOf), round.lastAllowed);
}

/** The file of a review that broke for good, until a retry replaces it; null where none did. */
export function brokenReviewFile(title: string, policy: Policy, state: LoopState, diffOf: DiffOf): ReviewFile | null {
  const broken = brokenReview(state, diffOf);
  return broken === null ? null : reviewFile(title, broken, lastRound(policy, state));
}

function reviewFile(title: string, reviewed: ReviewedIteration, maxIterations: number): ReviewFile {
  const iteration = toShownIteration(reviewed);
  return { iterationNumber: iteration.iterationNumber, markdown: reviewMarkdown({ title, iteration, maxIterations }) };
}

function reviewedOf({ number, reviewedAt, by, head, diff, report, verdict }: Round, diffOf: DiffOf): ReviewedIteration {
  const gitDiff = diff === null ? "" : diffOf(diff);
  return { iterationNumber: number, reviewedAt, ...playerOf(by), gitCommitHash: head, gitDiff, report, verdict };
}

function playerOf({ agent, model, provider }: Round["by"]): Pick<ReviewedIteration, "model" | "provider"> {
  return { model: model ?? agent, provider: provider ?? agent };
}

function specStatus(state: LoopState): CodeReviewSpec["status"] {
  if (state.stage === "reviewing") return "reviewing";
  if (isBroken(state)) return "failed";
  if (isAccepted(state)) return "approved";
  // Not what the last reviewer said, but what became of it: a person's ruling can open the gate.
  if (state.verdict?.verdict.result !== "pass") return "rejected";
  return isLeftUnreviewed(state) ? "pending" : "approved";
}

function isAccepted(state: LoopState): boolean {
  return state.acceptedBy !== undefined || (state.stage === "ended" && state.outcome === "accepted");
}

/** A step has changed what was approved and the review of that was cut off, or somebody merged something else. */
function isLeftUnreviewed(state: LoopState): boolean {
  const held = state.stage === "waiting-for-human" && state.backTo === "reviewing";
  const left = state.stage === "ended" && ["stopped", "closed"].includes(state.outcome);
  return (held || left || state.pr?.mergedHead !== undefined) && !earned(state);
}

/** A review that broke for good is an iteration that failed: what its last attempt is known by, and why. */
function brokenReview(state: LoopState, diffOf: DiffOf): ReviewedIteration | null {
  if (!isBroken(state)) return null;
  const { attempt, detail: reason } = state;
  return {
    iterationNumber: roundsDone(state) + 1,
    reviewedAt: state.lastAt,
    ...playerOf(attempt?.by ?? NOBODY),
    gitCommitHash: state.head ?? "",
    gitDiff: attempt?.diff == null ? "" : diffOf(attempt.diff),
    report: { status: "inconclusive", reason },
    verdict: { result: "inconclusive", reason },
  };
}

const NOBODY: Round["by"] = { agent: "none", model: null, provider: null };

function isBroken(state: LoopState): state is Extract<LoopState, { stage: "waiting-for-human" }> {
  return state.stage === "waiting-for-human" && state.reason === "review-broke";
}
