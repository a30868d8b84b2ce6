import type { CodeReviewIteration, CodeReviewSpec, FeatureStatus, LoopState, Policy, Round } from "@anneal/types";
import { featureStatus } from "../feature-status.ts";
import { toCodeReviewIteration } from "./code-review-iteration.ts";

/** The fields of feature.json that the log owns. */
export interface FeatureFields {
  status: FeatureStatus;
  codeReviewSpec?: CodeReviewSpec;
}

/** Projects a loop into its feature (seed 000). `diffOf` gives the text of a stored diff. */
export function featureFields(policy: Policy, state: LoopState, diffOf: (blob: string) => string): FeatureFields {
  const status = featureStatus(state);
  const spec = codeReviewSpec(policy, state, diffOf);
  return spec === null ? { status } : { status, codeReviewSpec: spec };
}

/** The review history as feature.json holds it, or null while nothing has come to a review. */
export function codeReviewSpec(
  policy: Policy,
  state: LoopState,
  diffOf: (blob: string) => string,
): CodeReviewSpec | null {
  const iterations = state.rounds.map((round) => iterationOf(round, diffOf));
  const broken = brokenIteration(state);
  if (iterations.length === 0 && broken === null && state.stage !== "reviewing") return null;
  const all = broken === null ? iterations : [...iterations, broken];
  const running = state.stage === "reviewing" ? iterations.length + 1 : all.length;
  return {
    status: specStatus(state),
    currentIteration: running,
    maxIterations: policy.limits.reviews,
    iterations: all,
  };
}

export function iterationOf(round: Round, diffOf: (blob: string) => string): CodeReviewIteration {
  return toCodeReviewIteration({
    iterationNumber: round.number,
    reviewedAt: round.reviewedAt,
    model: round.by.model ?? round.by.agent,
    provider: round.by.provider ?? round.by.agent,
    gitCommitHash: round.head,
    gitDiff: round.diff === null ? "" : diffOf(round.diff),
    report: round.report,
    verdict: round.verdict,
  });
}

function specStatus(state: LoopState): CodeReviewSpec["status"] {
  if (state.stage === "reviewing") return "reviewing";
  if (brokenIteration(state) !== null) return "failed";
  return state.rounds.at(-1)?.verdict.result === "pass" ? "approved" : "rejected";
}

/** A review that broke for good is an iteration that failed, until a retry replaces it. */
export function brokenIteration(state: LoopState): CodeReviewIteration | null {
  if (state.stage !== "waiting-for-human" || state.reason !== "review-broke") return null;
  const verdict = { result: "inconclusive", reason: state.detail } as const;
  return toCodeReviewIteration({
    iterationNumber: state.rounds.length + 1,
    reviewedAt: state.lastAt,
    model: "none",
    provider: "none",
    gitCommitHash: state.head ?? "",
    gitDiff: "",
    report: { status: "inconclusive", reason: state.detail },
    verdict,
  });
}
