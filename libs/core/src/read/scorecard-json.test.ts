import type { CompleteReport } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { readScorecardJson } from "./scorecard-json.ts";
import { signed } from "./testing/sign-off.ts";

const scores = (parts: Record<string, number> = {}) => ({
  requirement_adherence: { score: parts.requirement_adherence ?? 95, weight: "critical" },
  coordination_compliance: { score: parts.coordination_compliance ?? 100, weight: "critical" },
  code_quality: { score: parts.code_quality ?? 80, weight: "important" },
  pattern_consistency: { score: parts.pattern_consistency ?? 85, weight: "important" },
  test_quality: { score: parts.test_quality ?? 70, weight: "important" },
  security_performance: { score: parts.security_performance ?? 90, weight: "moderate" },
});
const finding = {
  dimension: "test_quality",
  severity: "warning",
  file: "src/auth/base.py",
  line: 45,
  message: "No test for a missing user name",
  suggestion: "Add one",
};
const blocker = {
  dimension: "coordination_compliance",
  message: "The arity is 3, the epic says 2",
  required_action: "Drop the third parameter",
};
const met = { all_critical_dimensions_pass: true, no_blocking_issues: true, overall_score_above_threshold: true };
const report = (parts: object = {}) => ({
  ticket_id: "auth-base",
  reviewed_at: "2026-01-09T14:22:00Z",
  reviewer: "code-review-agent",
  status: "pass",
  overall_score: 88,
  revision_count: 0,
  dimension_scores: scores(),
  findings: [finding],
  blocking_issues: [],
  revision_notes: null,
  approved: true,
  pass_criteria_met: met,
  sign_off: signed,
  ...parts,
});
const failed = report({
  status: "fail",
  approved: false,
  blocking_issues: [blocker],
  revision_notes: " Drop the third parameter. ",
  pass_criteria_met: { ...met, no_blocking_issues: false },
});
const read = {
  severity: "medium",
  category: "testing",
  file: "src/auth/base.py",
  line: 45,
  title: "No test for a missing user name",
  description: "No test for a missing user name",
  suggestion: "Add one",
  native: { seed: "scored", severity: "warning", category: "test_quality" },
} as const;
const readBlocker = {
  severity: "critical",
  category: "architecture",
  title: "The arity is 3, the epic says 2",
  description: "The arity is 3, the epic says 2",
  suggestion: "Drop the third parameter",
  native: { seed: "scored", severity: "blocking", category: "coordination_compliance" },
} as const;
const plain = {
  requirement_adherence: 95,
  coordination_compliance: 100,
  code_quality: 80,
  pattern_consistency: 85,
  test_quality: 70,
  security_performance: 90,
};
const unearned = "The claimed pass is not earned by the scores and issues.";

const cases: { name: string; text: string; report: Partial<CompleteReport> }[] = [
  {
    name: "the seed's own form",
    text: JSON.stringify(report(), null, 2),
    report: { claim: "pass", findings: [read], scores: plain, notes: [], rulings: [] },
  },
  {
    name: "a failure with a blocking issue",
    text: JSON.stringify(failed),
    report: { claim: "fail", findings: [readBlocker, read], demand: "Drop the third parameter.", notes: [] },
  },
  {
    name: "a json fence with prose",
    text: `Report:\n\n\`\`\`json\n${JSON.stringify(report(), null, 2)}\n\`\`\`\nDone.`,
    report: { claim: "pass", findings: [read] },
  },
  {
    name: "no findings",
    text: JSON.stringify(report({ findings: [] })),
    report: { findings: [], summary: "Scored 88.1 of 100 overall; the reviewer says pass." },
  },
  {
    name: "findings without place",
    text: JSON.stringify(report({ findings: [{ ...finding, file: null, line: null, suggestion: null }] })),
    report: {
      findings: [
        {
          severity: "medium",
          category: "testing",
          title: read.title,
          description: read.description,
          native: read.native,
        },
      ],
    },
  },
  {
    name: "escapes in every text, which are cleaned, and a name of a file that does not print, which is none",
    text: JSON.stringify(
      report({
        revision_notes: "\u001b[31mWell\u001b]0;owned\u0007 done",
        findings: [{ ...finding, file: "src/\u001b[2Jx.js", message: `${finding.message}\u001b[0m` }],
      }),
    ),
    report: {
      claim: "pass",
      demand: "Well done",
      findings: [expect.not.objectContaining({ file: expect.anything() })],
      notes: ['The file name "src/x.js" does not print as it is.'],
    },
  },
  {
    name: "an error finding",
    text: JSON.stringify(report({ findings: [{ ...finding, severity: "error" }] })),
    report: { findings: [{ ...read, severity: "high", native: { ...read.native, severity: "error" } }] },
  },
  {
    name: "an info finding",
    text: JSON.stringify(report({ findings: [{ ...finding, severity: "info" }] })),
    report: { findings: [{ ...read, severity: "info", native: { ...read.native, severity: "info" } }] },
  },
  {
    name: "scores with fractions",
    text: JSON.stringify(report({ dimension_scores: scores({ code_quality: 80.5 }) })),
    report: { scores: { ...plain, code_quality: 80.5 } },
  },
  {
    name: "a wrong overall, with a note",
    text: JSON.stringify(report({ overall_score: 99 })),
    report: { claim: "pass", notes: ["overall_score says 99, the dimensions give 88.1."] },
  },
  {
    name: "a pass that low tests do not earn, with a note",
    text: JSON.stringify(report({ dimension_scores: scores({ test_quality: 69 }) })),
    report: { claim: "pass", notes: [unearned] },
  },
  {
    name: "a pass that a low critical score does not earn, with notes",
    text: JSON.stringify(report({ overall_score: 87, dimension_scores: scores({ requirement_adherence: 89 }) })),
    report: {
      claim: "pass",
      notes: ["pass_criteria_met.all_critical_dimensions_pass says true, the report gives false.", unearned],
    },
  },
  {
    name: "a pass with a blocking issue, with notes",
    text: JSON.stringify(report({ blocking_issues: [blocker] })),
    report: {
      claim: "pass",
      findings: [readBlocker, read],
      notes: ["pass_criteria_met.no_blocking_issues says true, the report gives false.", unearned],
    },
  },
  {
    name: "a failure that its scores would not force, with a note",
    text: JSON.stringify(report({ status: "fail", approved: false })),
    report: { claim: "fail", notes: ["The report fails although its scores would pass."] },
  },
  {
    name: "rulings on earlier findings",
    text: JSON.stringify(report({ rulings: [{ fingerprint: "ab12", ruling: "refuted" }] })),
    report: { rulings: [{ fingerprint: "ab12", ruling: "refuted" }] },
  },
  { name: "a later revision", text: JSON.stringify(report({ revision_count: 2 })), report: { claim: "pass" } },
];

describe("readScorecardJson", () => {
  test.for(cases)("reads $name", ({ text, report: expected }) => {
    expect(readScorecardJson({ text, finished: true })).toMatchObject({ status: "complete", ...expected });
  });

  test.for([
    { subject: "auth-base", status: "complete" },
    { subject: "auth-token", status: "inconclusive" },
    { subject: "auth", status: "inconclusive" },
  ])("a report of auth-base for the ticket $subject is $status", ({ subject, status }) => {
    expect(readScorecardJson({ text: JSON.stringify(report()), finished: true, subject })).toMatchObject({ status });
  });

  test("takes structured output instead of the text", () => {
    expect(readScorecardJson({ text: "", finished: true, structured: report() })).toMatchObject({
      claim: "pass",
      scores: plain,
    });
  });
});
