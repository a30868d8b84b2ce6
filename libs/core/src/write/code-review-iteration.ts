import type { CodeReviewFinding, CodeReviewIteration, CodeReviewStatus, Finding, Report, Verdict } from "@anneal/types";
import { isoSeconds } from "../text/text.ts";
import { withBlocking } from "./blocking.ts";
import { toCodeReviewFinding } from "./code-review-finding.ts";
import { heldBack } from "./held-back.ts";
import { rejectionReason } from "./rejection-reason.ts";
import { reviewFileName, type ShownIteration } from "./review-markdown.ts";

export interface ReviewedIteration {
  iterationNumber: number;
  /** Epoch milliseconds. */
  reviewedAt: number;
  model: string;
  provider: string;
  gitCommitHash: string;
  gitDiff: string;
  report: Report;
  verdict: Verdict;
}

const STATUS: Record<Verdict["result"], CodeReviewStatus> = {
  pass: "approved",
  fail: "rejected",
  inconclusive: "failed",
};

/** One round as feature.json holds it (seed 000). The decision is our verdict, never the reviewer's claim alone. */
export function toCodeReviewIteration(reviewed: ReviewedIteration): CodeReviewIteration {
  return iterationWith(reviewed, toCodeReviewFinding);
}

/** One round as its markdown shows it: with the code of each finding and the requirements, for which feature.json has no key. */
export function toShownIteration(reviewed: ReviewedIteration): ShownIteration {
  const complete = completeOf(reviewed);
  const held = complete === undefined ? null : heldBack(reviewed.verdict);
  return {
    ...iterationWith(reviewed, toShownFinding),
    ...(complete?.compliance !== undefined && { compliance: complete.compliance }),
    ...(held !== null && { heldBack: held }),
    ...(complete?.demand !== undefined && { actionRequired: complete.demand }),
  };
}

function iterationWith(
  reviewed: ReviewedIteration,
  inWords: (finding: Finding) => CodeReviewFinding,
): CodeReviewIteration {
  const { report, verdict } = reviewed;
  const complete = completeOf(reviewed);
  // A report that says nothing cannot approve anything, whatever verdict comes with it.
  const status = complete === undefined ? "failed" : STATUS[verdict.result];
  return {
    iterationNumber: reviewed.iterationNumber,
    reviewedAt: isoSeconds(reviewed.reviewedAt),
    reviewedByModel: reviewed.model,
    reviewedByProvider: reviewed.provider,
    status,
    gitCommitHash: reviewed.gitCommitHash,
    gitDiff: reviewed.gitDiff,
    findings: withBlocking(complete?.findings ?? [], verdict).map(inWords),
    overallSummary: report.status === "complete" ? report.summary : report.reason,
    ...(status === "rejected" && complete !== undefined && { rejectionReason: rejectionReason(complete, verdict) }),
    reviewFile: reviewFileName(reviewed.iterationNumber),
  };
}

function completeOf({ report }: ReviewedIteration) {
  return report.status === "complete" ? report : undefined;
}

function toShownFinding(finding: Finding): CodeReviewFinding {
  const { snippet } = finding;
  return { ...toCodeReviewFinding(finding), ...(snippet !== undefined && { currentCode: snippet }) };
}
