import type { Contract } from "@anneal/types";
import { expect, test } from "vitest";
import { read } from "./index.ts";
import { ERROR, INFO, review } from "./testing/decision-text/answers.ts";
import { counts, document, entry } from "./testing/findings-document/answers.ts";
import { verdictOf } from "./testing/hostile.ts";
import { card } from "./testing/scorecard-json/corpus.ts";
import { signOff } from "./testing/sign-off.ts";
import { issue, json, nit } from "./testing/verdict-json/answers.ts";

const critical = (parts: object = {}) =>
  document({ critical: entry("Security"), summary: counts(1, 1, 0, 0), ...parts }).replace(`${signOff()}\n`, "");
/** Ends with a list instead of the closing line. */
const unclosed = (summary = counts(1, 1, 0, 0)) =>
  critical({ summary: `${summary}\n\nBefore the merge:\n\n1. Mask the token\n2. Test it` }).replace(
    "END OF REVIEW\n",
    "",
  );
const failing = (parts: object) => json({ verdict: "needs_work", issues: [issue], ...parts });

/** Each would be inconclusive if there were nothing to fail it. */
const answers: { what: string; contract: Contract; text: string; findings: number; note: string }[] = [
  {
    what: "an item that is not of the form",
    contract: "decision-text",
    text: review("[REJECTED]", `${ERROR}\n- The login crashes.`),
    findings: 2,
    note: "is not of the form",
  },
  {
    what: "an unknown category",
    contract: "decision-text",
    text: review("[APPROVED]", `${ERROR}\n- **[VIBES]** - info: Feels odd`),
    findings: 2,
    note: 'unknown category "VIBES"',
  },
  {
    what: "a line that is none",
    contract: "decision-text",
    text: review("[REJECTED]", `${ERROR}\n${INFO}\n  - Line: forty`),
    findings: 2,
    note: '"Line: forty" is not a line number',
  },
  {
    what: "words below the closing line",
    contract: "decision-text",
    text: `${review("[REJECTED]", ERROR)}\nOne more thing.`,
    findings: 1,
    note: "goes on after its closing line",
  },
  {
    what: "a count that is larger than the list",
    contract: "findings-document",
    text: critical({ summary: counts(2, 1, 1, 0) }),
    findings: 1,
    note: "counts 1 for important",
  },
  {
    what: "prose in another section",
    contract: "findings-document",
    text: critical({ important: "The tests are thin." }),
    findings: 1,
    note: "neither an issue nor",
  },
  {
    what: "a section of its own",
    contract: "findings-document",
    text: critical({ after: "\n## Other Findings\n\nThe names could be shorter.\n" }),
    findings: 1,
    note: 'The section "Other Findings" is not part of the form',
  },
  {
    what: "a missing closing line, where the counts show that nothing else is missing,",
    contract: "findings-document",
    text: unclosed(),
    findings: 1,
    note: "does not end with the line",
  },
  {
    what: "a line as text",
    contract: "verdict-json",
    text: failing({ issues: [{ ...issue, lineStart: "42-45" }] }),
    findings: 1,
    note: "lineStart",
  },
  {
    what: "an issue of an unknown severity",
    contract: "verdict-json",
    text: failing({ issues: [issue, { ...nit, severity: "odd" }] }),
    findings: 2,
    note: "severity",
  },
  {
    what: "an issue that says nothing",
    contract: "verdict-json",
    text: failing({ issues: [issue, "leak"] }),
    findings: 1,
    note: "issues[1]",
  },
  { what: "no summary", contract: "verdict-json", text: failing({ summary: "" }), findings: 1, note: "summary" },
  { what: "a misspelt key", contract: "verdict-json", text: failing({ rulngs: [] }), findings: 1, note: '"rulngs"' },
  {
    what: "no reviewer",
    contract: "scorecard-json",
    text: card({ status: "fail", approved: false, reviewer: undefined }),
    findings: 1,
    note: '"reviewer"',
  },
];

test.for(answers)("$what in a $contract answer that fails anyway is a note", ({ contract, text, findings, note }) => {
  const report = read(contract, { text, finished: true });
  expect(report).toMatchObject({ status: "complete", partlyRead: true });
  expect(verdictOf(contract, report)).toBe("fail");
  expect(report.status === "complete" && report.findings).toHaveLength(findings);
  expect(report.status === "complete" && report.notes).toContainEqual(expect.stringContaining(note));
});

const contradicting: { what: string; contract: Contract; text: string }[] = [
  { what: "a pass that is not approved", contract: "scorecard-json", text: card({ approved: false }) },
  { what: "two decisions", contract: "decision-text", text: review("[REJECTED]\n\n[APPROVED]", ERROR) },
  { what: "a rejection of which nothing else can be read", contract: "decision-text", text: review("[REJECTED]", "") },
  {
    what: "a finding outside of the list",
    contract: "decision-text",
    text: review("[REJECTED]", ERROR, `Bad.\n\n${ERROR}`),
  },
  {
    what: "findings under a heading of their own",
    contract: "findings-document",
    text: critical({ after: `\n## Blockers\n\n${entry("Logic")}\n` }),
  },
  {
    what: "a missing closing line beside a count that is larger than the list",
    contract: "findings-document",
    text: unclosed(counts(2, 1, 1, 0)),
  },
  {
    what: "a missing closing line beside a missing section",
    contract: "findings-document",
    text: unclosed().replace(/^## Summary[\s\S]*?(?=Before)/m, ""),
  },
  {
    what: "a missing closing line of a document without anything that must be fixed",
    contract: "findings-document",
    text: unclosed().replace(
      /^## Critical[\s\S]*?(?=^## Important)/m,
      "## Critical Issues (Must Fix)\n\nNone identified.\n\n",
    ),
  },
];

test.for(contradicting)("$what is inconclusive, whatever fails beside it", ({ contract, text }) => {
  expect(read(contract, { text, finished: true })).toMatchObject({
    status: "inconclusive",
    problems: expect.any(Array),
  });
});

test("a missing closing line makes an answer inconclusive where nobody knows whether its agent ended", () => {
  const answer = { text: unclosed(), finished: true };
  expect(read("findings-document", answer, { closing: "required" })).toMatchObject({ status: "inconclusive" });
});

test("all that is wrong with the form is reported at once, and the reason is one sentence", () => {
  const issues = [{ ...nit, severity: "odd" }, { ...nit, lineStart: "7" }, "leak"];
  const report = read("verdict-json", { text: json({ verdict: "PASS", summary: "", issues }), finished: true });
  expect(report).toEqual({
    status: "inconclusive",
    reason: expect.stringMatching(/^verdict is "PASS" .*, and 4 more\.$/),
    problems: ["verdict is", "issues[0].severity", "issues[1].lineStart", "issues[2] is", "summary is"].map((text) =>
      expect.stringContaining(text),
    ),
  });
});

test("an answer that was not finished has no form to repair", () => {
  const report = read("verdict-json", { text: "{", finished: false });
  expect(report).toEqual({ status: "inconclusive", reason: "The reviewer did not finish its answer." });
});
