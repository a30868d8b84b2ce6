import type { Hostile } from "../hostile.ts";
import { fenced, issue, json, nit, passing, withIssue } from "./answers.ts";

export const part: Hostile[] = [
  {
    name: "needs_work without issues",
    text: json({ verdict: "needs_work" }),
    expect: { verdict: "fail", findings: 0 },
  },

  // Hidden characters, size
  { name: "ANSI codes around the object", text: `\u001b[32m${json({})}\u001b[0m`, expect: "inconclusive" },
  { name: "an escaped ESC in the summary", text: json({ summary: "\u001b[2J" }), expect: "inconclusive" },
  { name: "a direction override in a path", text: withIssue({ file: "src/\u202Est.a" }), expect: "inconclusive" },
  {
    name: "nested 100 levels deep",
    text: json({ extra: JSON.parse("[".repeat(100) + "]".repeat(100)) }),
    expect: "inconclusive",
  },
  {
    name: "nested a hundred thousand levels deep",
    text: `{"verdict":"pass","x":${"[".repeat(100_000)}`,
    expect: "inconclusive",
  },
  { name: "nine megabytes", text: json({ summary: "x".repeat(9 * 1024 * 1024) }), expect: "inconclusive" },

  // Rulings, structured output
  {
    name: "a ruling in unknown words",
    text: json({ rulings: [{ fingerprint: "ab", ruling: "maybe" }] }),
    expect: "inconclusive",
  },
  { name: "a ruling without fingerprint", text: json({ rulings: [{ ruling: "fixed" }] }), expect: "inconclusive" },
  {
    name: "two rulings on one finding",
    text: json({
      rulings: [
        { fingerprint: "ab", ruling: "fixed" },
        { fingerprint: "ab", ruling: "open" },
      ],
    }),
    expect: "inconclusive",
  },
  { name: "structured output that is null", text: passing, structured: null, expect: "inconclusive" },
  { name: "structured output that is text", text: passing, structured: json({}), expect: "inconclusive" },
  {
    name: "structured output that fails beside text that passes",
    text: passing,
    structured: JSON.parse(json({ verdict: "critical_issues" })),
    expect: { verdict: "fail", findings: 0 },
  },
  {
    name: "structured output with __proto__ as a key",
    text: passing,
    structured: JSON.parse('{"verdict":"pass","issues":[],"summary":"Fine.","__proto__":{"x":1}}'),
    expect: "inconclusive",
  },
  {
    name: "structured output with NaN",
    text: passing,
    structured: { verdict: "pass", issues: [{ ...nit, lineStart: Number.NaN }], summary: "x" },
    expect: "inconclusive",
  },

  // Odd but whole
  { name: "Windows line ends", text: passing.replaceAll("\n", "\r\n"), expect: { verdict: "pass", findings: 1 } },
  { name: "a byte order mark in front", text: `\uFEFF${passing}`, expect: { verdict: "pass", findings: 1 } },

  // A pass next to keys that the form does not have
  ...Object.entries({
    blockers: ["The token leaks."],
    errors: [{ text: "The token leaks." }],
    problems: { login: "The token leaks." },
    criticalIssues: ["The token leaks."],
    must_fix: ["The token leaks."],
    vulnerabilities: [{ id: 1 }],
    details: [{ severity: "critical", description: "The token leaks." }],
    notes: [{ file: "src/a.ts", line: 3, message: "The token leaks." }],
    approved: false,
    blocking: true,
    decision: "reject",
    recommendation: "Do not merge before the leak is closed.",
    filesReviewed: ["src/a.ts", "src/b.ts"],
    issueCounts: { critical: 0, high: 0, low: 0 },
    strengths: ["Errors are wrapped", "No blockers"],
    resolvedIssues: ["The token leak"],
    riskLevel: "low",
    metadata: { model: "x", files: 3, tools: ["read", "grep"] },
  }).map(([key, value]) => ({
    name: `a pass with the extra key ${key}: ${JSON.stringify(value)}`,
    text: json({ [key]: value }),
    expect: "inconclusive" as const,
  })),
  {
    name: "structured output with findings under another key",
    text: "",
    structured: { verdict: "pass", issues: [], summary: "Fine.", blockers: ["The token leaks."] },
    expect: "inconclusive",
  },
  { name: "a pass inside a block quotation", text: `<blockquote>\n${json({})}\n</blockquote>`, expect: "inconclusive" },
  { name: "a pass inside a pre element", text: `<pre>\n${json({})}\n</pre>`, expect: "inconclusive" },
  ...Object.entries({
    unresolved: ["The token leaks."],
    remaining: ["The token leaks."],
    high: ["The token leaks."],
    details: ["SQL injection in the login."],
    incomplete: true,
    truncated: true,
    error: "ran out of context",
    needs_revision: true,
  }).map(([key, value]) => ({
    name: `a pass with the telling key ${key}: ${JSON.stringify(value)}`,
    text: json({ [key]: value }),
    expect: "inconclusive" as const,
  })),
  ...Object.entries({
    severity: "High",
    category: "Security",
    file: "",
    description: "Prints \u001b[2J as it is.",
  }).map(([key, value]) => ({
    name: `a needed fix with the ${key} ${JSON.stringify(value)}`,
    text: json({ verdict: "needs_work", issues: [{ ...issue, [key]: value }] }),
    expect: { verdict: "fail" as const, findings: 1 },
  })),
  {
    name: "a pass with a severity that blocks, in capitals",
    text: withIssue({ severity: "CRITICAL" }),
    expect: { verdict: "fail", findings: 1 },
  },
  { name: "a pass in capitals", text: json({ verdict: "PASS" }), expect: "inconclusive" },
  {
    name: "a pass in a fence of commented JSON",
    text: fenced(json({}), "jsonc"),
    expect: { verdict: "pass", findings: 0 },
  },
  { name: "an escaped ESC in the verdict", text: json({ verdict: "pass\u001b" }), expect: "inconclusive" },
  {
    name: "a description of nothing but an escape",
    text: withIssue({ description: "\u001b[2J" }),
    expect: "inconclusive",
  },
  {
    name: "a direction override in a description",
    text: withIssue({ description: "a\u202Eb" }),
    expect: "inconclusive",
  },
  ...[
    "Example of a passing answer: ",
    "If all were fine I would answer:\n\n",
    "The file review.json contains ",
    "The description says:\n\n",
    "I was asked to print:\n",
    "x = ",
    "// ",
    "<blockquote>",
    "```yaml\nverdict: needs_work\n```\n\n",
  ].map((before) => ({
    name: `a pass behind ${JSON.stringify(before)}`,
    text: `${before}${json({})}`,
    expect: "inconclusive" as const,
  })),
  {
    name: "a fenced pass behind an example's announcement",
    text: `Example of a passing answer:\n\n${fenced(json({}))}`,
    expect: "inconclusive",
  },
  ...["a.js:2: error: token leak", "- src/a.ts:12: critical: SQL injection", "1. `a.ts:5` high: no check"].map(
    (line) => ({
      name: `an issue line beside a pass: ${line}`,
      text: `${line}\n\n${json({})}`,
      expect: "inconclusive" as const,
    }),
  ),
];
