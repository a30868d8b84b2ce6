import { readFileSync } from "node:fs";
import type { Contract, Report } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { judge } from "./gate/gate.ts";
import { POLICIES } from "./policies/index.ts";
import { read } from "./read/index.ts";
import { signed, signOff } from "./read/testing/sign-off.ts";
import { bad, clean, Play, report } from "./testing/build.ts";
import { findingsDocument, toFindingsDocument } from "./write/findings-document.ts";
import { reviewFileName } from "./write/review-markdown.ts";
import { completeReport, failedReport, finding } from "./write/testing/findings.ts";
import { toReviewReport } from "./write/ticket-report.ts";

const reviewing = (contract: Contract, text: string): Report => read(contract, { text, finished: true });

describe("what a reviewer writes in a seed's form is read word for word", () => {
  test("seed 000: decision, category, severity, title, description, file, line, suggestion, summary", () => {
    const text = `**[REJECTED]**

### Issues Found
- **[COMPLIANCE]** - error: Empty names are accepted
  - Description: A form without a name is saved.
  - File: src/form.ts
  - Line: 45
  - Suggestion: Refuse it.
- **[TEST]** - warning: No test for a long name
  - Description: Nothing tries one.

### Summary
Names are not checked.

Check them before the next review.

END OF REVIEW
`;
    expect(reviewing("decision-text", text)).toMatchObject({
      status: "complete",
      claim: "fail",
      summary: expect.stringContaining("Names are not checked."),
      findings: [
        {
          category: "compliance",
          severity: "high",
          title: "Empty names are accepted",
          description: "A form without a name is saved.",
          suggestion: "Refuse it.",
          file: "src/form.ts",
          line: 45,
          native: { seed: "gate", severity: "error", category: "compliance" },
        },
        { category: "testing", severity: "medium", title: "No test for a long name" },
      ],
    });
  });

  test.for([
    { word: "COMPLIANCE", category: "compliance" },
    { word: "CODE", category: "logic" },
    { word: "TEST", category: "testing" },
    { word: "ARCHITECTURE", category: "architecture" },
    { word: "PERFORMANCE", category: "performance" },
  ])("seed 000: the category $word", ({ word, category }) => {
    const text = `[APPROVED]\n\n### Issues Found\n- **[${word}]** - info: T\n  - Description: D\n\n### Summary\nFine.\n\n${signOff()}\nEND OF REVIEW\n`;
    expect(reviewing("decision-text", text)).toMatchObject({ claim: "pass", findings: [{ category }] });
  });

  test("seed 001: verdict, summary and every field of an issue", () => {
    const issue = {
      severity: "critical",
      category: "security",
      file: "src/login.ts",
      lineStart: 42,
      lineEnd: 45,
      description: "The token is never checked.",
      suggestedFix: "Check it.",
    };
    const answer = { verdict: "critical_issues", issues: [issue], summary: "One hole." };
    expect(reviewing("verdict-json", JSON.stringify(answer))).toMatchObject({
      claim: "fail",
      summary: "One hole.",
      findings: [
        {
          severity: "critical",
          category: "security",
          file: "src/login.ts",
          line: 42,
          endLine: 45,
          description: "The token is never checked.",
          suggestion: "Check it.",
          native: { seed: "pull-request", severity: "critical", category: "security" },
        },
      ],
    });
  });

  test.for([
    { verdict: "pass", claim: "pass" },
    { verdict: "needs_work", claim: "fail" },
    { verdict: "critical_issues", claim: "fail" },
  ])("seed 001: the verdict $verdict", ({ verdict, claim }) => {
    const text = JSON.stringify({ verdict, issues: [], summary: "S.", sign_off: signed });
    expect(reviewing("verdict-json", text)).toMatchObject({ claim });
  });

  test("seed 002: six scores, findings, blocking issues and revision notes", () => {
    const findings = [
      { dimension: "code_quality", severity: "warning", file: "a.py", line: 4, message: "Long.", suggestion: "Cut." },
    ] as const;
    const given = failedReport({ findings: [...findings] });
    const answer = reviewing("scorecard-json", JSON.stringify(given));
    expect(answer).toMatchObject({
      claim: "fail",
      demand: given.revision_notes,
      scores: { requirement_adherence: 60, coordination_compliance: 90, code_quality: 70, pattern_consistency: 55 },
      findings: [
        {
          category: "testing",
          severity: "critical",
          description: "The burst path has no test",
          suggestion: "Test a burst of 11 calls",
        },
        { severity: "medium", file: "a.py", line: 4, description: "Long.", suggestion: "Cut." },
      ],
    });
    expect(answer).toMatchObject({ scores: { test_quality: 40, security_performance: 80 } });
  });

  test("seed 003: sections, category, location, problem, impact, fix and counts", () => {
    const text = readFileSync(new URL("./write/fixtures/findings-document.md", import.meta.url), "utf8");
    const answer = read("findings-document", { text, finished: true }, { closing: "optional" });
    if (answer.status !== "complete") throw new Error(answer.reason);
    expect(answer.findings[0]).toMatchObject({
      category: "security",
      title: "Limits can be switched off from outside",
      file: "src/limits/routes.ts",
      line: 18,
      description: "The limit is read from a request header.",
      impact: "Any caller can lift its own limit.",
      suggestion: "Read the limit from the configuration only.",
      native: { severity: "Critical" },
    });
    const counted = (name: string) => Number(new RegExp(`\\*\\*${name}:\\*\\* (\\d+)`).exec(text)?.[1]);
    const listed = (name: string) => answer.findings.filter(({ native }) => native?.severity === name).length;
    for (const name of ["Critical", "Important", "Minor"]) expect(listed(name), name).toBe(counted(name));
  });

  test("seed 004: file, line, severity, message and suggestion of JSON inside prose", () => {
    const issue = { file: "a.go", line: 42, severity: "warning", message: "It leaks.", suggestion: "Close it." };
    const answer = { passed: false, summary: "One leak.", issues: [issue] };
    expect(reviewing("issue-lines", `Here it is:\n\n\`\`\`json\n${JSON.stringify(answer)}\n\`\`\`\n`)).toMatchObject({
      claim: "fail",
      summary: "One leak.",
      findings: [
        {
          file: "a.go",
          line: 42,
          severity: "medium",
          description: "It leaks.",
          suggestion: "Close it.",
          native: { seed: "advisory", severity: "warning" },
        },
      ],
    });
  });

  test("seed 004: lines of the form file:line: severity: message", () => {
    expect(reviewing("issue-lines", "a.go:7: error: It crashes.\nb.go:9: suggestion: Rename it.\n")).toMatchObject({
      status: "complete",
      findings: [
        { file: "a.go", line: 7, severity: "high", description: "It crashes." },
        { file: "b.go", line: 9, severity: "info", description: "Rename it." },
      ],
    });
  });

  test.for(["", "The change looks fine to me.", '{"passed": tru', "Usage: codex review --base BRANCH"])(
    "seed 004: the answer %j is inconclusive, never a pass",
    (text) => {
      expect(reviewing("issue-lines", text).status).toBe("inconclusive");
    },
  );
});

describe("what is written is read back equal", () => {
  test("the findings document of seed 003", () => {
    const of = { impact: "It hurts.", suggestion: "Fix it.", file: "src/a.ts", line: 3 };
    const findings = (["critical", "high", "medium", "low"] as const).map((severity, n) =>
      finding({ ...of, severity, line: n + 1, title: `Title ${n}` }),
    );
    const document = toFindingsDocument({
      storyId: "2.1-D4",
      round: 2,
      reviewedAt: Date.UTC(2026, 2, 2, 8, 5),
      branch: "story-2-1-d4",
      findings,
    });
    const stored = { text: findingsDocument(document), finished: true };
    expect(read("findings-document", stored, { closing: "optional" })).toMatchObject({
      status: "complete",
      notes: [],
      // Critical, Important and Minor are three words for five severities.
      findings: findings.map(({ severity, title, line, impact, suggestion, file, description }) => ({
        severity: severity === "medium" ? "high" : severity,
        title,
        line,
        impact,
        suggestion,
        file,
        description,
      })),
    });
  });

  test("the ReviewReport of seed 002, as scores, claim, findings and demand", () => {
    const scores = Object.fromEntries(
      Object.entries(failedReport().dimension_scores).map(([name, cell]) => [name, (cell as { score: number }).score]),
    );
    const given = completeReport({ scores, findings: [finding({ severity: "critical" })], demand: "Do it." });
    const verdict = judge(POLICIES.scored, { report: given, requirementsJudged: true, round: 1, findings: [] });
    const written = toReviewReport({
      ticketId: "t",
      reviewedAt: 0,
      revisionCount: 0,
      report: given,
      verdict,
      rule: POLICIES.scored.pass.scorecard,
    });
    expect(reviewing("scorecard-json", JSON.stringify(written))).toMatchObject({
      claim: "fail",
      scores,
      demand: "Do it.",
    });
  });
});

describe("a claimed pass is checked against the report itself", () => {
  test.for([
    { claim: "an overall score above the threshold", over: { overall_score: 99 }, note: "overall_score says 99" },
    {
      claim: "critical dimensions that pass",
      over: { pass_criteria_met: { ...failedReport().pass_criteria_met, all_critical_dimensions_pass: true } },
      note: "pass_criteria_met.all_critical_dimensions_pass says true",
    },
    {
      claim: "no blocking issues",
      over: { pass_criteria_met: { ...failedReport().pass_criteria_met, no_blocking_issues: true } },
      note: "pass_criteria_met.no_blocking_issues says true",
    },
  ])("seed 002: $claim that the numbers do not give is noted and does not pass", ({ over, note }) => {
    const claimed = failedReport({ status: "pass", approved: true, ...over });
    const answer = reviewing("scorecard-json", JSON.stringify(claimed));
    if (answer.status !== "complete") throw new Error(answer.reason);
    expect(answer.notes).toEqual(expect.arrayContaining([expect.stringContaining(note)]));
    const verdict = judge(POLICIES.scored, { report: answer, requirementsJudged: true, round: 1, findings: [] });
    expect(verdict.result).toBe("fail");
  });
});

describe("rules that a seed states in passing", () => {
  test("seed 000: the review file of iteration N is code-review-iteration-N.md", () => {
    expect([1, 2, 3].map(reviewFileName)).toEqual([
      "code-review-iteration-1.md",
      "code-review-iteration-2.md",
      "code-review-iteration-3.md",
    ]);
  });

  test("seed 000: a rejection leads to a fix and the fix to the next review, until the third", () => {
    const play = new Play(POLICIES.gate).build();
    expect(play.review(bad("high", 1)).where).toBe("fixing");
    expect(play.mend().where).toBe("reviewing");
    expect(play.review(bad("high", 2)).mend().where).toBe("reviewing");
    expect(play.review(bad("high", 3)).where).toBe("waiting: rounds-exhausted");
  });

  test.for([1, 2, 3])("seed 000: whichever of the three reviews approves, the feature has passed: %d", (round) => {
    const play = new Play(POLICIES.gate).build();
    for (let n = 1; n < round; n++) play.review(bad("high", n)).mend();
    expect(play.review(clean).where).toBe("ended: passed");
    expect(play.state.rounds).toHaveLength(round);
  });

  test("seed 001: after the last failed review the pull request opens without another fix that nobody reviewed", () => {
    const play = new Play(POLICIES["pull-request"]).build();
    play.review(bad("high", 1)).mend().review(bad("high", 2)).mend().review(bad("high", 3));
    expect(play.where).toBe("opening-pr");
    expect(play.log.at(-1)?.type).toBe("reviewed");
  });

  test("seed 002: validation comes before every review, of revisions too", () => {
    expect(new Play(POLICIES.scored).implement().where).toBe("validating");
    expect(new Play(POLICIES.scored).build().review(bad("critical", 1)).fix().where).toBe("validating");
  });

  test("seed 002: a revision starts at once, where a review that broke is tried again after a pause", () => {
    const failed = new Play(POLICIES.scored).build().review(bad("critical", 1));
    expect([failed.where, failed.state.notBefore]).toEqual(["fixing", null]);
    expect(new Play(POLICIES.scored).build().breaks().state.notBefore).toBeGreaterThan(0);
  });

  test("seed 002: the reviewer is the model sonnet", () => {
    expect(POLICIES.scored.reviewer.model).toBe("sonnet");
  });

  test("seed 003: one more round fixes first and then reviews", () => {
    const play = new Play(POLICIES.adversarial).build();
    play.review(bad("high", 1)).mend().review(bad("high", 2)).mend().review(bad("high", 3));
    expect(play.signal("one-more").where).toBe("fixing");
    expect(play.mend().where).toBe("reviewing");
  });

  test.for([
    { found: "a Minor", severity: "low", first: "opening-pr", second: "opening-pr", third: "opening-pr" },
    {
      found: "an Important",
      severity: "medium",
      first: "fixing",
      second: "fixing",
      third: "waiting: rounds-exhausted",
    },
    { found: "an Important", severity: "high", first: "fixing", second: "fixing", third: "waiting: rounds-exhausted" },
    {
      found: "a Critical",
      severity: "critical",
      first: "fixing",
      second: "fixing",
      third: "waiting: rounds-exhausted",
    },
  ] as const)(
    "seed 003: $found finding ($severity) leads in rounds 1, 2 and 3 to $first, $second, $third",
    ({ severity, first: one, second: two, third: three }) => {
      const found = report({ claim: null, findings: [finding({ severity })] });
      const [first, second, third] = [1, 2, 3].map((round) => {
        const play = new Play(POLICIES.adversarial).build();
        for (let n = 1; n < round; n++) play.review(bad("high", n)).mend();
        return play.review(found).where;
      });
      expect([first, second, third]).toEqual([one, two, three]);
    },
  );

  test("seed 004: neither issues, nor a failed review, nor a failed fix keeps a unit from its merge", () => {
    const built = () => new Play(POLICIES.advisory).build();
    expect(built().review(bad("critical", 1)).mend().where).toBe("merging");
    expect(built().breaks().where).toBe("merging");
    expect(built().review(bad("critical", 1)).breaks().where).toBe("merging");
  });
});
