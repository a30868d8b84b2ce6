import type { CodeReviewIteration, CompleteReport, Finding, ReviewReport, Scores } from "@anneal/types";

export function finding(over: Partial<Finding> = {}): Finding {
  return { category: "logic", severity: "high", title: "A title", description: "A description.", ...over };
}

export function completeReport(over: Partial<CompleteReport> = {}): CompleteReport {
  return { status: "complete", claim: "fail", findings: [], summary: "A summary.", rulings: [], notes: [], ...over };
}

export const goodScores: Scores = {
  requirement_adherence: 95,
  coordination_compliance: 100,
  code_quality: 80,
  pattern_consistency: 85,
  test_quality: 70,
  security_performance: 90,
};

export function failedReport(over: Partial<ReviewReport> = {}): ReviewReport {
  return {
    ticket_id: "rate-limiter",
    reviewed_at: "2026-03-02T08:05:00Z",
    reviewer: "code-review-agent",
    status: "fail",
    overall_score: 65,
    revision_count: 0,
    dimension_scores: {
      requirement_adherence: { score: 60, weight: "critical" },
      coordination_compliance: { score: 90, weight: "critical" },
      code_quality: { score: 70, weight: "important" },
      pattern_consistency: { score: 55, weight: "important" },
      test_quality: { score: 40, weight: "important" },
      security_performance: { score: 80, weight: "moderate" },
    },
    findings: [],
    blocking_issues: [
      { dimension: "test_quality", message: "The burst path has no test", required_action: "Test a burst of 11 calls" },
    ],
    revision_notes: "Cover the burst path and reject negative limits.",
    approved: false,
    pass_criteria_met: {
      all_critical_dimensions_pass: false,
      no_blocking_issues: false,
      overall_score_above_threshold: false,
    },
    ...over,
  };
}

/** The iteration behind fixtures/review.md. */
export const rejectedIteration: CodeReviewIteration = {
  iterationNumber: 1,
  reviewedAt: "2026-03-02T08:05:00Z",
  reviewedByModel: "claude-sonnet-4-5",
  reviewedByProvider: "anthropic",
  status: "rejected",
  gitCommitHash: "0c1d2e3f",
  gitDiff: "diff --git a/src/limits/bucket.ts b/src/limits/bucket.ts",
  findings: [
    {
      category: "compliance",
      severity: "error",
      title: "Negative Limits Are Accepted",
      description: 'A limit below zero switches limiting off, against "limits are at least 1".',
      file: "src/limits/bucket.ts",
      line: 12,
      currentCode: "if (limit < 0) {\n  return true; // lets every call through\n}",
      suggestion:
        "if (!Number.isInteger(limit) || limit < 1) {\n  throw new RangeError('limit has to be at least 1');\n}",
    },
    {
      category: "code",
      severity: "error",
      title: "Clock Errors Are Swallowed",
      description: "A failing clock read empties the bucket without a trace.",
      file: "src/limits/clock.ts",
      line: 31,
      suggestion: "Let the error reach the caller and log it once.",
    },
    {
      category: "test",
      severity: "warning",
      title: "No burst test",
      description: "Nothing calls the limiter more often than its limit. A test with a fixed clock would do.",
    },
    {
      category: "architecture",
      severity: "info",
      title: "Keep the store behind a port",
      description: "The map could be an interface, so that several processes can share limits later.",
    },
  ],
  overallSummary: "The limiter works for one caller, but bad limits switch it off and a failing clock goes unseen.",
  rejectionReason: "Limits below 1 are accepted.",
  reviewFile: "code-review-iteration-1.md",
  compliance: {
    met: ["Calls above the limit get a 429", "Limits are set per route"],
    unmet: ["Limits below 1 are not refused", "The Retry-After header is missing"],
  },
  actionRequired: "Refuse limits below 1, send Retry-After, and let clock errors through before the next review.",
};
