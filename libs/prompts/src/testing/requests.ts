import type { Contract, FixerGets, ReviewerSees, TrackedFinding } from "@anneal/types";
import type { FixPromptRequest, PromptPolicy, ReviewPromptRequest } from "../request.ts";

export const NONCE = "f00dfeed-0001";

export function aPolicy(
  contract: Contract,
  sees: ReviewerSees[],
  gets: FixerGets[] = ["issues"],
  workItem: PromptPolicy["workItem"] = "feature",
): PromptPolicy {
  return { workItem, reviewer: { contract, sees, timeoutMs: 1_000 }, pass: { blocksAt: "medium" }, fixer: { gets } };
}

export const gatePolicy = aPolicy(
  "decision-text",
  ["work-item", "spec", "round-diff", "whole-diff", "earlier-findings", "project-context"],
  ["all-reviews", "previous-agent-output", "open-findings"],
);
export const pullRequestPolicy = aPolicy(
  "verdict-json",
  ["work-item", "whole-diff", "earlier-findings"],
  ["issues-by-severity"],
);
export const scoredPolicy = aPolicy(
  "scorecard-json",
  ["work-item", "epic-coordination", "whole-diff", "validation-result", "previous-feedback"],
  ["revision-context"],
  "ticket",
);
export const adversarialPolicy = aPolicy(
  "findings-document",
  ["work-item", "whole-diff"],
  ["findings-document"],
  "story",
);
export const advisoryPolicy = aPolicy("issue-lines", ["whole-diff"], ["issues"], "unit");

/** Every part filled with a text of its own, so that a test sees which parts arrive. */
export function aReview(policy: PromptPolicy, more: Partial<ReviewPromptRequest> = {}): ReviewPromptRequest {
  return {
    policy,
    workItem: { id: "7.2", title: "TITLE", description: "DESCRIPTION", spec: "SPEC" },
    round: 2,
    maxRounds: 3,
    nonce: NONCE,
    branch: "work-branch",
    baseBranch: "main",
    base: "base0000",
    head: "head0000",
    reviewedAt: "2026-02-03 04:05",
    diffs: { round: "+ROUND-DIFF", whole: "+WHOLE-DIFF" },
    earlierFindings: [aFinding("EARLIER-FINGERPRINT", { title: "EARLIER-TITLE" })],
    previousFeedback: "PREVIOUS-FEEDBACK",
    projectContext: { claudeMd: "CLAUDE-TEXT", files: [{ path: "rules.md", text: "RULES-TEXT" }] },
    epicCoordination: "EPIC-COORDINATION",
    validationResult: "VALIDATION-RESULT",
    ...more,
  };
}

export function aFix(policy: PromptPolicy, more: Partial<FixPromptRequest> = {}): FixPromptRequest {
  return {
    policy,
    workItem: { id: "7.2", title: "TITLE", description: "DESCRIPTION", spec: "SPEC" },
    round: 2,
    maxRounds: 3,
    nonce: NONCE,
    findings: [aFinding("OPEN-FINGERPRINT", { title: "OPEN-TITLE" })],
    issueList: "ISSUE-LIST",
    reviews: [
      { round: 2, text: "REVIEW-TWO" },
      { round: 1, text: "REVIEW-ONE" },
    ],
    summary: "REVIEW-SUMMARY",
    rejectionReason: "REJECTION-REASON",
    implementationPrompt: "ORIGINAL-PROMPT",
    previousAgentOutput: "AGENT-OUTPUT",
    revisionInstructions: "REVISION-INSTRUCTIONS",
    findingsDocument: "FINDINGS-DOCUMENT",
    ...more,
  };
}

export function aFinding(fingerprint: string, finding: Partial<TrackedFinding["finding"]> = {}): TrackedFinding {
  return {
    fingerprint,
    finding: {
      category: "logic",
      severity: "high",
      title: "Division by zero",
      description: "An empty cart divides by zero",
      suggestion: "Return early",
      file: "src/cart.ts",
      line: 12,
      native: { seed: "gate", severity: "error", category: "code" },
      ...finding,
    },
    lifecycle: "new",
    origin: { kind: "change" },
    disposition: { kind: "open" },
    firstRound: 1,
    lastRound: 1,
  };
}
