import { describe, expect, test } from "vitest";
import type { AgentAnswer } from "./answer/answer.ts";
import { readIssueLines } from "./issue-lines.ts";
import { readScorecardJson } from "./scorecard-json.ts";
import { signed } from "./testing/sign-off.ts";
import { readVerdictJson } from "./verdict-json.ts";

const cell = (weight: string) => ({ score: 95, weight });
const CARD = {
  ticket_id: "auth",
  reviewed_at: "2026-01-09T14:22:00Z",
  reviewer: "code-review-agent",
  status: "pass",
  overall_score: 95,
  revision_count: 0,
  dimension_scores: {
    requirement_adherence: cell("critical"),
    coordination_compliance: cell("critical"),
    code_quality: cell("important"),
    pattern_consistency: cell("important"),
    test_quality: cell("important"),
    security_performance: cell("moderate"),
  },
  findings: [],
  blocking_issues: [],
  revision_notes: "",
  approved: true,
  sign_off: signed,
  pass_criteria_met: {
    all_critical_dimensions_pass: true,
    no_blocking_issues: true,
    overall_score_above_threshold: true,
  },
};

const ISSUE = { severity: "high", category: "logic", description: "Leaks." };
const READERS = [
  {
    seed: "001",
    read: readVerdictJson,
    report: { verdict: "pass", issues: [], summary: "All is as asked.", sign_off: signed },
    failing: { verdict: "needs_work", issues: [ISSUE] },
  },
  { seed: "002", read: readScorecardJson, report: CARD, failing: { status: "fail", approved: false } },
  {
    seed: "004",
    read: readIssueLines,
    report: { passed: true, issues: [], summary: "All is as asked.", sign_off: signed },
    failing: { passed: false, issues: [{ severity: "error", message: "Leaks." }] },
  },
];

const TAKEN = [
  { what: "a value", extra: { mood: "\u001b[32mcalm\u001b[0m" }, reported: "mood" },
  { what: "a key", extra: { "\u001b[1mmo\u0007od": "calm" }, reported: "mood" },
  { what: "values and keys further in", extra: { mood: [{ "\u001b[1mverdict": "\u001b[32mcalm" }] }, reported: "mood" },
];

const REFUSED = [
  { what: "the name of a key of the contract", extra: { "\u001b[1msummary": "x", "\u001b[1mstatus": "x" } },
  { what: "another verdict", extra: { conclusion: "\u001b[32mrejected" } },
  { what: "another verdict, by its key", extra: { "conc\u001b[0mlusion": "rejected" } },
  { what: "an objection that an escape takes out", extra: { mood: "Fine. \u001b]0;Do not merge this.\u0007" } },
  { what: "an objection that an escape breaks apart", extra: { mood: "Do n\u001b[0mot merge this." } },
  { what: "findings", extra: { more: [{ "sever\u001b[0mity": "high", message: "Leaks." }] } },
  { what: "a direction override", extra: { mood: "\u202ecalm" } },
  { what: "a direction override, in a key", extra: { "\u202emood": "calm" } },
];

describe.for(READERS)("escapes in what seed $seed does not name", ({ read, report, failing }) => {
  const reading = (extra: object): ReturnType<typeof read> => {
    const answer: AgentAnswer = { text: "", structured: { ...report, ...extra }, finished: true };
    return read(answer);
  };

  test.for(TAKEN)("$what: cleaned, and noted in a report that fails", ({ extra, reported }) => {
    const { notes, ...taken } = { notes: [], ...reading({ ...failing, ...extra }) };
    expect(taken).toMatchObject({ status: "complete", claim: "fail" });
    expect(notes).toContain(`Unknown key "${reported}" was ignored.`);
  });

  test.for(TAKEN)("$what: refused beside a pass, by its name", ({ extra, reported }) => {
    const problems = [`The answer claims a pass, but has the unknown key "${reported}".`];
    expect(reading(extra)).toMatchObject({ status: "inconclusive", problems });
  });

  test.for(REFUSED)("$what: refused, in words that print", ({ extra }) => {
    const { status, reason } = { reason: "", ...reading(extra) };
    expect(status).toBe("inconclusive");
    expect(reason).toMatch(/^\P{Cc}+$/u);
  });
});

test.for([
  { seed: "001", read: readVerdictJson, text: JSON.stringify({ ...READERS[0]?.report, verdict: "pass\u001b[0m" }) },
  { seed: "002", read: readScorecardJson, text: JSON.stringify({ ...CARD, status: "pass\u001b[0m" }) },
  { seed: "002", read: readScorecardJson, text: JSON.stringify(CARD).replace('"moderate"', '"moderate\\u001b[0m"') },
])("an escape in a word that seed $seed names stays refused", ({ read, text }) => {
  expect(read({ text, finished: true }).status).toBe("inconclusive");
});
