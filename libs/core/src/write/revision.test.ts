import { RevisionContext } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { revisionContext, revisionInstructions, toHistoryEntry } from "./revision.ts";
import { failedReport } from "./testing/findings.ts";

describe("revisionInstructions", () => {
  test("has the headings and fields of seed 002's RevisionContext in its order", () => {
    const text = revisionInstructions(failedReport());
    const fields = [
      "REVISION REQUIRED\n",
      "\nReview Status: FAIL\n",
      "\nOverall Score: 65/100\n",
      "\nBLOCKING ISSUES:\n1. [test_quality] The burst path has no test\n   Required action: Test a burst of 11 calls\n",
      "\nREQUIRED CHANGES:\nCover the burst path and reject negative limits.\n",
      "\nDIMENSION SCORES:\n- requirement_adherence: 60/100 (critical)\n- coordination_compliance: 90/100 (critical)\n- code_quality: 70/100 (important)\n- pattern_consistency: 55/100 (important)\n- test_quality: 40/100 (important)\n- security_performance: 80/100 (moderate)\n",
    ];
    const places = fields.map((field) => text.indexOf(field));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test("hostile text of a reviewer reaches the builder without control characters or markup", () => {
    const text = revisionInstructions(failedReport({ revision_notes: "\u001b[31m<script>x()</script>" }));
    expect(text).toContain("REQUIRED CHANGES:\n&lt;script>x()&lt;/script>\n");
  });

  test("a list that is empty says so", () => {
    const text = revisionInstructions(failedReport({ blocking_issues: [], revision_notes: "x" }));
    expect(text).toContain("BLOCKING ISSUES:\nNone.\n");
  });
});

describe("revisionContext", () => {
  test("holds the ticket, the report, the instructions and the attempts before", () => {
    const report = failedReport();
    const history = [toHistoryEntry(report)];
    const context = revisionContext({ originalTicket: "# Rate limiter", report, history });
    expect(context).toEqual({
      original_ticket: "# Rate limiter",
      review_report: report,
      revision_instructions: revisionInstructions(report),
      review_history: history,
    });
    expect(RevisionContext.parse(context)).toEqual(context);
  });

  test("a report that passed has nothing to revise", () => {
    expect(revisionContext({ originalTicket: "", report: failedReport({ status: "pass", approved: true }) })).toEqual({
      error: expect.stringContaining("nothing to revise"),
    });
  });

  test("a failed report that says nothing is refused", () => {
    const report = failedReport({ blocking_issues: [], revision_notes: " " });
    expect(revisionContext({ originalTicket: "", report })).toEqual({
      error: expect.stringContaining("there is nothing to revise"),
    });
  });
});

test("a history entry has the shape of seed 002's epic-state extension", () => {
  expect(toHistoryEntry(failedReport({ revision_count: 1 }))).toEqual({
    attempt: 1,
    reviewed_at: "2026-03-02T08:05:00Z",
    status: "fail",
    overall_score: 65,
    blocking_issues_count: 1,
    revision_notes: "Cover the burst path and reject negative limits.",
  });
});
