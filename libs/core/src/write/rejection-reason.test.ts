import type { CompleteReport, Finding, Verdict } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { judge } from "../gate/gate.ts";
import { track } from "../lineage/lineage.ts";
import { POLICIES } from "../policies/index.ts";
import { rejectionReason } from "./rejection-reason.ts";
import { completeReport, finding } from "./testing/findings.ts";

const fail = (...blocking: Finding[]): Verdict => ({
  result: "fail",
  reason: `${blocking.length} findings block`,
  blocking,
});
const password = finding({
  category: "compliance",
  title: "Empty passwords\nare accepted",
  file: "src/auth.ts",
  line: 45,
  suggestion: "Ask for\n8 characters",
});

/** What the gate itself makes of a report in the first round. */
function judged(report: CompleteReport): Verdict {
  const seen = { round: 1, head: "c1", report, standing: [], regions: [], renames: {}, lastFix: undefined };
  return judge(POLICIES.gate, { report, requirementsJudged: true, round: 1, findings: track([], seen) });
}

describe("why a change was rejected tells what to do", () => {
  test.for<{ what: string; report: CompleteReport; verdict: Verdict; says: string }>([
    {
      what: "in the reviewer's own words, where it gave some",
      report: completeReport({ demand: "Validate passwords." }),
      verdict: fail(password),
      says: "Validate passwords.",
    },
    {
      what: "by title, place and suggestion",
      report: completeReport({ demand: " \n" }),
      verdict: fail(password),
      says: "Compliance issue: Empty passwords are accepted (src/auth.ts:45). Suggestion: Ask for 8 characters",
    },
    {
      what: "by the description where nothing is suggested",
      report: completeReport(),
      verdict: fail(finding({ title: "Errors are lost", description: "A refused query\nlooks empty.", file: "db.ts" })),
      says: "Code Quality issue: Errors are lost (db.ts). A refused query looks empty.",
    },
    {
      what: "for each finding that blocks",
      report: completeReport(),
      verdict: fail(password, finding({ category: "testing", title: "Nothing tests it", description: "" })),
      says: "- Compliance issue: Empty passwords are accepted (src/auth.ts:45). Suggestion: Ask for 8 characters\n- Test Coverage issue: Nothing tests it.",
    },
    {
      what: "by the verdict, where nothing blocks",
      report: completeReport(),
      verdict: { result: "inconclusive", reason: "no decision" },
      says: "no decision",
    },
  ])("$what", ({ report, verdict, says }) => {
    expect(rejectionReason(report, verdict)).toBe(says);
  });

  test("by the summary and all findings, where the reviewer rejects and calls none of them an error", () => {
    const report = completeReport({
      claim: "fail",
      summary: "Too many small things.",
      findings: [finding({ severity: "medium", title: "Slow", suggestion: "Use a map" })],
    });
    expect(rejectionReason(report, judged(report))).toBe(
      "- Compliance issue: The reviewer rejected the change without a blocking finding. Too many small things.\n- Code Quality issue: Slow. Suggestion: Use a map",
    );
  });
});
