import { type Finding, ReviewReport, type Scores, type Verdict } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { judge } from "../gate/gate.ts";
import { scored } from "../policies/scored.ts";
import { completeReport, finding, goodScores } from "./testing/findings.ts";
import { toReviewReport } from "./ticket-report.ts";

const rule = scored.pass.scorecard;
const pass: Verdict = { result: "pass", reason: "no findings" };
const fail = (...blocking: Finding[]): Verdict => ({ result: "fail", reason: "it blocks", blocking });

function written(scores: Scores, verdict: Verdict, findings: Finding[] = [], demand?: string) {
  const report = completeReport({ scores, findings, ...(demand !== undefined && { demand }) });
  return toReviewReport({
    ticketId: "t-1",
    reviewedAt: Date.UTC(2026, 2, 2, 8, 5),
    revisionCount: 1,
    report,
    verdict,
    rule,
  });
}

/** The report that the gate's own verdict on these scores leads to. */
function judged(scores: Scores) {
  const report = completeReport({ scores, claim: "pass" });
  return written(scores, judge(scored, { report, requirementsJudged: true, round: 1, findings: [] }));
}

describe("toReviewReport", () => {
  test("a passing report has every field of seed 002 and reads back through its schema", () => {
    const minor = finding({
      category: "testing",
      severity: "medium",
      title: "No test for a null name",
      description: "No test for a null name",
      suggestion: "Add one",
      file: "src/auth/base.py",
      line: 45,
    });
    const report = written(goodScores, pass, [minor]);
    expect(report).toEqual({
      ticket_id: "t-1",
      reviewed_at: "2026-03-02T08:05:00Z",
      reviewer: "code-review-agent",
      status: "pass",
      overall_score: 88,
      revision_count: 1,
      dimension_scores: {
        requirement_adherence: { score: 95, weight: "critical" },
        coordination_compliance: { score: 100, weight: "critical" },
        code_quality: { score: 80, weight: "important" },
        pattern_consistency: { score: 85, weight: "important" },
        test_quality: { score: 70, weight: "important" },
        security_performance: { score: 90, weight: "moderate" },
      },
      findings: [
        {
          dimension: "test_quality",
          severity: "warning",
          file: "src/auth/base.py",
          line: 45,
          message: "No test for a null name",
          suggestion: "Add one",
        },
      ],
      blocking_issues: [],
      revision_notes: null,
      approved: true,
      pass_criteria_met: {
        all_critical_dimensions_pass: true,
        no_blocking_issues: true,
        overall_score_above_threshold: true,
      },
    });
    expect(ReviewReport.parse(report)).toEqual(report);
  });

  test("the overall score weighs critical 3, important 2 and moderate 1", () => {
    const zero = Object.fromEntries(Object.keys(goodScores).map((name) => [name, 0]));
    const only = (name: string) => written({ ...zero, [name]: 100 }, fail(finding()))?.overall_score;
    expect(only("requirement_adherence")).toBe(Math.round(300 / 13));
    expect(only("coordination_compliance")).toBe(Math.round(300 / 13));
    expect(only("test_quality")).toBe(Math.round(200 / 13));
    expect(only("security_performance")).toBe(Math.round(100 / 13));
  });

  test.for([
    { name: "a critical dimension at 89", over: { requirement_adherence: 89 }, status: "fail", critical: false },
    {
      name: "critical dimensions at 90",
      over: { requirement_adherence: 90, coordination_compliance: 90 },
      status: "pass",
      critical: true,
    },
    { name: "an important dimension at 69", over: { code_quality: 69 }, status: "fail", critical: true },
    { name: "a moderate dimension at 0", over: { security_performance: 0 }, status: "pass", critical: true },
  ])("$name leads to $status", ({ over, status, critical }) => {
    const report = judged({ ...goodScores, ...over });
    expect(report).toMatchObject({
      status,
      approved: status === "pass",
      pass_criteria_met: { all_critical_dimensions_pass: critical, no_blocking_issues: status === "pass" },
    });
    expect(report?.blocking_issues.length === 0).toBe(status === "pass");
    expect(report?.revision_notes === null).toBe(status === "pass");
  });

  test("an overall score that misses the threshold never rounds up onto it", () => {
    const edge = { ...rule, overallAtLeast: 88 };
    const report = completeReport({ scores: { ...goodScores, security_performance: 86 } });
    const made = toReviewReport({ ticketId: "t", reviewedAt: 0, revisionCount: 0, report, verdict: pass, rule: edge });
    expect(made).toMatchObject({
      overall_score: 87,
      status: "fail",
      pass_criteria_met: { overall_score_above_threshold: false },
    });
  });

  test("what blocks is listed once, with its location and the action it needs", () => {
    const arity = finding({
      category: "architecture",
      severity: "critical",
      title: "Arity 3",
      description: "The epic says 2",
      suggestion: "Drop the third parameter",
      file: "a.py",
      line: 3,
    });
    const report = written(goodScores, fail({ ...arity }), [arity]);
    expect(report?.findings).toEqual([]);
    expect(report?.blocking_issues).toEqual([
      {
        dimension: "coordination_compliance",
        message: "Arity 3: The epic says 2",
        required_action: "Drop the third parameter",
        file: "a.py",
        line: 3,
      },
    ]);
    expect(report?.revision_notes).toBe("- Drop the third parameter");
  });

  test("the reviewer's demand becomes the revision notes of a failed report only", () => {
    expect(written(goodScores, fail(finding()), [], "Do it")?.revision_notes).toBe("Do it");
    expect(written(goodScores, pass, [], "Do it")?.revision_notes).toBeNull();
  });

  test("a verdict that is inconclusive never becomes a pass", () => {
    expect(written(goodScores, { result: "inconclusive", reason: "cut off" })?.status).toBe("fail");
  });

  test.for(Object.keys(goodScores))("without a score for %s there is no report", (name) => {
    const { [name]: _, ...rest } = goodScores;
    expect(written(rest, pass)).toBeNull();
    expect(written({ ...rest, [name]: Number.NaN }, pass)).toBeNull();
  });

  test("hostile text is harmless before it is stored", () => {
    const hostile = finding({ severity: "medium", title: "", description: "\u001b[2J<script>x</script>" });
    expect(written(goodScores, pass, [hostile])?.findings[0]?.message).toBe("&lt;script>x&lt;/script>");
  });
});
