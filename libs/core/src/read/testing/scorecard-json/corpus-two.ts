import type { Hostile } from "../hostile.ts";
import { card, report } from "./answers.ts";

export const part: Hostile[] = [
  { name: "a byte order mark in front", text: `\uFEFF${card({})}`, expect: { verdict: "pass", findings: 1 } },

  // The strictest of the reviewer's own words
  ...Object.keys(report.pass_criteria_met).map((key) => ({
    name: `a pass although ${key} is false`,
    text: card({ pass_criteria_met: { ...report.pass_criteria_met, [key]: false } }),
    expect: { verdict: "fail" as const, findings: 1 },
  })),
  {
    name: "a pass with a claimed overall below 75",
    text: card({ overall_score: 74.9 }),
    expect: { verdict: "fail", findings: 1 },
  },
  {
    name: "a pass with a claimed overall of zero",
    text: card({ overall_score: 0 }),
    expect: { verdict: "fail", findings: 1 },
  },
  { name: "blockers under another key", text: card({ blockers: ["Wrong arity."] }), expect: "inconclusive" },
  {
    name: "problems under another key",
    text: card({ problems: { arity: "Three, not two." } }),
    expect: "inconclusive",
  },
  ...Object.entries({
    summary: "All criteria are met; nothing blocks the merge.",
    strengths: ["The profile is kept to the letter"],
    files_reviewed: ["src/auth/base.py"],
    validation: { tests: "passed", lint: "passed" },
    duration_seconds: 41,
  }).map(([key, value]) => ({
    name: `${key} under a key of its own`,
    text: card({ [key]: value }),
    expect: "inconclusive" as const,
  })),
  { name: "another verdict under another key", text: card({ verdict: "fail" }), expect: "inconclusive" },
  {
    name: "a passing report inside a block quotation",
    text: `<blockquote>\n${card({})}\n</blockquote>`,
    expect: "inconclusive",
  },
  { name: "revision notes as a list of numbers", text: card({ revision_notes: [1] }), expect: "inconclusive" },
  {
    name: "revision notes as a list of remarks",
    text: card({ revision_notes: ["Reads well.", "The lockfile was not looked at."] }),
    expect: { verdict: "pass", findings: 1 },
  },
  {
    name: "required changes under a key of their own",
    text: card({ required_changes: ["Arity."] }),
    expect: "inconclusive",
  },
  {
    name: "a message under an unknown key",
    text: card({ notes: [{ dimension: "code_quality", message: "Wrong arity." }] }),
    expect: "inconclusive",
  },
  {
    name: "issues inside a score",
    text: card({
      dimension_scores: {
        ...JSON.parse(card({})).dimension_scores,
        code_quality: { score: 95, weight: "important", issues: ["Wrong arity."] },
      },
    }),
    expect: "inconclusive",
  },
];
