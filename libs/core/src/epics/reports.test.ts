import { ReviewReport, TicketReviewContext } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { bad, clean, finding, report } from "../testing/build.ts";
import { readCompletionReport } from "./completion.ts";
import { reviewContext, reviewContextText, reviewReportPath, reviewReports, reviewReportText } from "./reports.ts";
import { diamond, TicketPlay, ticket } from "./testing/epic.ts";

const completion = readCompletionReport(
  '## Completion Report\n\n{"acceptance_criteria":[{"criterion":1,"met":true,"evidence":"a.ts"}]}',
  ["The 11th call is refused", "A bucket fills again"],
);
const bucket = ticket("bucket", { text: "# Token bucket" });
const context = (play: TicketPlay) =>
  reviewContext({
    epic: diamond(),
    ticket: bucket,
    loop: play.loop,
    filesModified: ["src/bucket.ts"],
    testSuite: "passing",
    completion,
  });
const HOSTILE = "\u001b[2J<img src=x onerror=alert(1)> \u202eevil";
const HARMFUL = ["\u001b", "\u202e", "<img"];
const hostile = report({
  claim: "fail",
  demand: HOSTILE,
  findings: [finding({ severity: "critical", title: HOSTILE, description: HOSTILE })],
});

describe("the context of a review (seed 002)", () => {
  test("has every field, from ticket, epic, git, validation and completion report", () => {
    const built = context(new TicketPlay().build());
    expect(built).toEqual({
      ticket_id: "bucket",
      ticket_path: ".epics/limits/tickets/bucket.md",
      epic_path: ".epics/limits/limits.epic.yaml",
      ticket_branch: "ticket/bucket",
      base_commit: "base",
      final_commit: "c1",
      files_modified: ["src/bucket.ts"],
      test_suite_status: "passing",
      acceptance_criteria: [
        { criterion: "The 11th call is refused", met: true },
        { criterion: "A bucket fills again", met: false },
      ],
      revision_count: 0,
      previous_review_feedback: null,
    });
    expect(TicketReviewContext.parse(built)).toEqual(built);
  });

  test("a revision has the same base, its own commit, its count and the feedback before it", () => {
    expect(context(new TicketPlay().build().review(bad("critical", 1)).mend())).toMatchObject({
      base_commit: "base",
      final_commit: "c2",
      revision_count: 1,
      previous_review_feedback: expect.stringContaining("Total is wrong for an empty cart"),
    });
  });

  test("feedback with escape sequences and markup is harmless", () => {
    const { previous_review_feedback: feedback } = context(
      new TicketPlay().build().review(hostile).mend(),
    ) as TicketReviewContext;
    expect(feedback).toContain("&lt;img src=x");
    for (const harmful of HARMFUL) expect(feedback).not.toContain(harmful);
  });

  test("the reviewer gets the result of the validation, and the builder's claims as claims", () => {
    const built = context(new TicketPlay().build()) as TicketReviewContext;
    expect(reviewContextText(built, completion)).toBe(
      [
        "ticket_path: .epics/limits/tickets/bucket.md",
        "epic_path: .epics/limits/limits.epic.yaml",
        "files_modified:",
        "- src/bucket.ts",
        "test_suite_status: passing",
        "acceptance_criteria:",
        "1. The 11th call is refused (the implementer reports it as met: a.ts)",
        "2. A bucket fills again (not addressed: the completion report does not mention it)",
      ].join("\n"),
    );
  });

  test("without a commit there is nothing to review", () => {
    expect(context(new TicketPlay())).toEqual({ error: "bucket has no commit to review yet" });
  });
});

describe("review reports", () => {
  test("every attempt has one, valid by the seed's schema, and a place of its own", () => {
    const play = new TicketPlay().build().review(bad("critical", 1)).mend().review(clean);
    const reports = reviewReports("bucket", play.loop);
    expect(reports.map(({ status, revision_count }) => `${revision_count} ${status}`)).toEqual(["0 fail", "1 pass"]);
    for (const one of reports) expect(ReviewReport.parse(one)).toEqual(one);
    expect(reviewReportPath("bucket", 1)).toBe("artifacts/reviews/bucket-attempt-1.json");
  });

  test("a claimed pass that the scores do not give is stored as a fail with a blocking issue", () => {
    const scores = { ...clean.scores, requirement_adherence: 89 };
    const play = new TicketPlay().build().review(report({ claim: "pass", scores }));
    expect(play.loop.status).toBe("needs_revision");
    expect(reviewReports("bucket", play.loop)[0]).toMatchObject({
      status: "fail",
      approved: false,
      blocking_issues: [{ dimension: "requirement_adherence" }],
      pass_criteria_met: { all_critical_dimensions_pass: false },
    });
  });

  test("a review that broke leaves no report", () => {
    const play = new TicketPlay().build().review({ status: "inconclusive", reason: "a score is missing" });
    expect(play.loop.status).toBe("reviewing");
    expect(reviewReports("bucket", play.loop)).toEqual([]);
  });

  test("under a policy without scores there are none", () => {
    const play = new TicketPlay({ ...POLICIES.gate, workItem: "ticket" }).build().review(clean);
    expect(reviewReports("bucket", play.loop)).toEqual([]);
    expect(play.loop.status).toBe("completed");
  });

  test("are shown harmless, also when somebody edited the stored one", () => {
    const [stored] = reviewReports("bucket", new TicketPlay().build().review(hostile).loop);
    if (stored === undefined) throw new Error("there is a report");
    const text = reviewReportText({ ...stored, ticket_id: HOSTILE, revision_notes: `a\n${HOSTILE}` });
    for (const harmful of HARMFUL) expect(text).not.toContain(harmful);
    expect(text.split("\n")).toEqual([
      expect.stringContaining("attempt 0: fail, 95/100"),
      "Scores: requirement_adherence 95, coordination_compliance 95, code_quality 95, pattern_consistency 95, test_quality 95, security_performance 95",
      expect.stringMatching(/^Blocking: src\/cart\.ts:10: &lt;img src=x/),
      expect.stringMatching(/^Notes: a &lt;img/),
    ]);
  });
});
