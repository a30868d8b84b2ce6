import { CodeReviewIteration, type Verdict } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { toCodeReviewFinding } from "./code-review-finding.ts";
import { toCodeReviewIteration, toShownIteration } from "./code-review-iteration.ts";
import { completeReport, finding } from "./testing/findings.ts";

const reviewed = {
  iterationNumber: 2,
  reviewedAt: Date.UTC(2026, 2, 2, 8, 5),
  model: "claude-sonnet-4-5",
  provider: "anthropic",
  gitCommitHash: "0c1d2e3f",
  gitDiff: "diff",
};
const pass: Verdict = { result: "pass", reason: "no findings" };

describe("toCodeReviewIteration", () => {
  const error = finding({ file: "a.ts", line: 3, suggestion: "Fix", snippet: "let a" });
  const rejected = {
    ...reviewed,
    report: completeReport({ findings: [error], demand: "Fix a.", compliance: { met: ["one"], unmet: ["two"] } }),
    verdict: { result: "fail", reason: "1 finding blocks", blocking: [{ ...error }] } satisfies Verdict,
  };

  test("a rejected round carries every field of seed 000's iteration, and no other", () => {
    const iteration = toCodeReviewIteration(rejected);
    expect(iteration).toEqual({
      iterationNumber: 2,
      reviewedAt: "2026-03-02T08:05:00Z",
      reviewedByModel: "claude-sonnet-4-5",
      reviewedByProvider: "anthropic",
      status: "rejected",
      gitCommitHash: "0c1d2e3f",
      gitDiff: "diff",
      findings: [
        {
          category: "code",
          severity: "error",
          title: "A title",
          description: "A description.",
          suggestion: "Fix",
          file: "a.ts",
          line: 3,
        },
      ],
      overallSummary: "A summary.",
      rejectionReason: "Fix a.",
      reviewFile: "code-review-iteration-2.md",
    });
    expect(CodeReviewIteration.parse(iteration)).toEqual(iteration);
  });

  test("its markdown also shows the code, the requirements and what to do", () => {
    const [only] = toCodeReviewIteration(rejected).findings;
    expect(toShownIteration(rejected)).toEqual({
      ...toCodeReviewIteration(rejected),
      findings: [{ ...only, currentCode: "let a" }],
      compliance: { met: ["one"], unmet: ["two"] },
      actionRequired: "Fix a.",
    });
  });

  test.for<{ name: string; verdict: Verdict; status: string }>([
    { name: "pass", verdict: pass, status: "approved" },
    { name: "fail", verdict: { result: "fail", reason: "r", blocking: [finding()] }, status: "rejected" },
    { name: "inconclusive", verdict: { result: "inconclusive", reason: "r" }, status: "failed" },
  ])("the verdict $name makes the iteration $status, whatever the reviewer claims", ({ verdict, status }) => {
    for (const claim of ["pass", "fail", null] as const) {
      expect(toCodeReviewIteration({ ...reviewed, report: completeReport({ claim }), verdict }).status).toBe(status);
    }
  });

  test("an answer that could not be read is a failed review with its reason, even along with a passing verdict", () => {
    const report = { status: "inconclusive" as const, reason: "The answer is empty." };
    expect(toCodeReviewIteration({ ...reviewed, report, verdict: pass })).toMatchObject({
      status: "failed",
      overallSummary: "The answer is empty.",
      findings: [],
    });
  });

  test("what blocks without being in the report is listed too", () => {
    const verdict: Verdict = { result: "fail", reason: "r", blocking: [finding({ title: "carried over" })] };
    const { findings, rejectionReason } = toCodeReviewIteration({
      ...reviewed,
      report: completeReport({ findings: [finding({ severity: "info" })] }),
      verdict,
    });
    expect(findings.map((entry) => entry.title)).toEqual(["A title", "carried over"]);
    expect(rejectionReason).toBe("Code Quality issue: carried over. A description.");
  });
});

describe("toCodeReviewFinding", () => {
  test.for([
    { severity: "critical" as const, word: "error" },
    { severity: "high" as const, word: "error" },
    { severity: "medium" as const, word: "warning" },
    { severity: "low" as const, word: "info" },
    { severity: "info" as const, word: "info" },
  ])("$severity is $word in seed 000's words", ({ severity, word }) => {
    expect(toCodeReviewFinding(finding({ severity })).severity).toBe(word);
  });

  test.for([
    { category: "compliance" as const, word: "compliance" },
    { category: "logic" as const, word: "code" },
    { category: "security" as const, word: "code" },
    { category: "architecture" as const, word: "architecture" },
    { category: "performance" as const, word: "performance" },
    { category: "testing" as const, word: "test" },
    { category: "style" as const, word: "code" },
    { category: "documentation" as const, word: "code" },
  ])("$category is $word in seed 000's words", ({ category, word }) => {
    expect(toCodeReviewFinding(finding({ category })).category).toBe(word);
  });

  test("a native word that seed 000 does not have is never written", () => {
    const native = { seed: "gate" as const, severity: "fatal", category: "vibes" };
    expect(toCodeReviewFinding(finding({ native }))).toMatchObject({ severity: "error", category: "code" });
  });
});
