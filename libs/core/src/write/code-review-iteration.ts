import type {
  CodeReviewCategory,
  CodeReviewFinding,
  CodeReviewIteration,
  CodeReviewSeverity,
  CodeReviewStatus,
  Finding,
  Report,
  Verdict,
} from "@anneal/types";
import { CATEGORY_WORDS, categoryWord, SEVERITY_WORDS, severityWord } from "../words.ts";
import { withBlocking } from "./blocking.ts";
import { CATEGORY_LABELS, reviewFileName } from "./review-markdown.ts";
import { isoSeconds } from "./text.ts";

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

/** One round as feature.json holds it (seed 000). The decision is our verdict, never the reviewer's word alone. */
export function toCodeReviewIteration(reviewed: ReviewedIteration): CodeReviewIteration {
  const { report, verdict } = reviewed;
  const complete = report.status === "complete" ? report : undefined;
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
    findings: withBlocking(complete?.findings ?? [], verdict).map(toCodeReviewFinding),
    overallSummary: report.status === "complete" ? report.summary : report.reason,
    ...(status === "rejected" && { rejectionReason: complete?.demand ?? verdict.reason }),
    reviewFile: reviewFileName(reviewed.iterationNumber),
    ...(complete?.compliance !== undefined && { compliance: complete.compliance }),
    ...(complete?.demand !== undefined && { actionRequired: complete.demand }),
  };
}

/** A finding in seed 000's words. */
export function toCodeReviewFinding(finding: Finding): CodeReviewFinding {
  return {
    category: gateCategory(finding),
    severity: gateSeverity(finding),
    title: finding.title,
    description: finding.description,
    ...(finding.suggestion !== undefined && { suggestion: finding.suggestion }),
    ...(finding.file !== undefined && { file: finding.file }),
    ...(finding.line !== undefined && { line: finding.line }),
    ...(finding.snippet !== undefined && { currentCode: finding.snippet }),
  };
}

function gateCategory(finding: Finding): CodeReviewCategory {
  const word = categoryWord("gate", finding);
  if (isCategory(word)) return word;
  const written = CATEGORY_WORDS.gate.write[finding.category];
  return isCategory(written) ? written : "code";
}

function gateSeverity(finding: Finding): CodeReviewSeverity {
  const word = severityWord("gate", finding);
  return isSeverity(word) ? word : "error";
}

function isCategory(word: string): word is CodeReviewCategory {
  return Object.hasOwn(CATEGORY_LABELS, word);
}

function isSeverity(word: string): word is CodeReviewSeverity {
  return Object.hasOwn(SEVERITY_WORDS.gate.read, word);
}
