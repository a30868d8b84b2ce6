import type { Hostile } from "../hostile.ts";
import { clean, counts, cutOut, document, entry, unclean } from "./answers.ts";

export const part: Hostile[] = [
  // Nothing there
  { name: "empty", text: "", expect: "inconclusive" },
  { name: "only white space", text: "\n \n", expect: "inconclusive" },
  { name: "only the closing line", text: "END OF REVIEW", expect: "inconclusive" },
  {
    name: "only the title",
    text: "# Story 2.1 Code Review Findings - Round 1\n\nEND OF REVIEW",
    expect: "inconclusive",
  },
  {
    name: "only prose",
    text: "I wrote the findings to docs/progress. There are none.\n\nEND OF REVIEW",
    expect: "inconclusive",
  },
  {
    name: "only a summary of zeros",
    text: `## Summary\n\n${counts(0, 0, 0, 0)}\n\nEND OF REVIEW`,
    expect: "inconclusive",
  },
  { name: "a run that did not finish", text: clean, finished: false, expect: "inconclusive" },
  { name: "JSON in place of a document", text: '{"critical":[],"important":[],"minor":[]}', expect: "inconclusive" },

  // Sections
  { name: "no critical section", text: cutOut(document(), "## Critical", "## Important"), expect: "inconclusive" },
  { name: "no important section", text: cutOut(document(), "## Important", "## Minor"), expect: "inconclusive" },
  { name: "no minor section", text: cutOut(document(), "## Minor", "## Summary"), expect: "inconclusive" },
  { name: "no summary", text: cutOut(document(), "## Summary", "## Sign-off"), expect: "inconclusive" },
  {
    name: "two critical sections",
    text: document({ critical: `None identified.\n\n## Critical Issues (Must Fix)\n\n${entry("Security")}` }),
    expect: "inconclusive",
  },
  {
    name: "two summaries",
    text: document({ after: `\n## Summary\n\n${counts(1, 1, 0, 0)}\n` }),
    expect: "inconclusive",
  },
  {
    name: "sections in another order",
    text: document().replace("## Critical", "## X").replace("## Minor", "## Critical").replace("## X", "## Minor"),
    expect: "inconclusive",
  },
  {
    name: "the summary first",
    text: document().replace(
      "## Critical Issues (Must Fix)",
      `## Summary\n\n${counts(0, 0, 0, 0)}\n\n## Critical Issues (Must Fix)`,
    ),
    expect: "inconclusive",
  },
  {
    name: "a heading in Cyrillic letters",
    text: document().replace("## Critical", "## Сritical"),
    expect: "inconclusive",
  },
  {
    name: "a heading in full-width letters",
    text: document().replace("## Summary", "## Ｓummary"),
    expect: "inconclusive",
  },
  { name: "a misspelt heading", text: document().replace("## Important", "## Importent"), expect: "inconclusive" },
  {
    name: "headings only in a code fence",
    text: document().replace("## Critical", "```\n## Critical").replace("## Summary", "```\n## Summary"),
    expect: "inconclusive",
  },
  { name: "headings only in a quote", text: document().replace(/^## /gm, "> ## "), expect: "inconclusive" },
  {
    name: "a section only in an HTML comment",
    text: document().replace("## Minor Issues (Nice to Have)", "<!-- ## Minor Issues -->"),
    expect: "inconclusive",
  },
  {
    name: "issues under a heading of their own",
    text: document({ after: `\n## Blocking Issues\n\n${entry("Security")}\n` }),
    expect: "inconclusive",
  },
  {
    name: "issue fields under a harmless heading",
    text: document({ after: `\n## Observations\n\n${entry("Security")}\n` }),
    expect: "inconclusive",
  },
  {
    name: "an issue before the sections",
    text: document({ before: `\n${entry("Security")}\n` }),
    expect: "inconclusive",
  },
  {
    name: "a section of unresolved findings",
    text: document({ before: "\n## Unresolved findings from round 1\n\nThe token leak.\n" }),
    expect: "inconclusive",
  },

  // Issues
  { name: "prose in place of issues", text: document({ critical: "The token still leaks." }), expect: "inconclusive" },
  {
    name: "fields without an issue",
    text: document({ critical: "- **File:** src/a.ts:1\n- **Problem:** It leaks." }),
    expect: "inconclusive",
  },
  {
    name: "a numbered item with nothing in it",
    text: document({ critical: "1. **[Security]:**" }),
    expect: "inconclusive",
  },
  {
    name: "None beside an issue",
    text: document({ critical: `None identified.\n\n${entry("Security")}` }),
    expect: { verdict: "fail", findings: 1 },
  },
  {
    name: "no critical issues, but",
    text: document({ critical: "No critical issues, but the token leaks." }),
    expect: "inconclusive",
  },
  {
    name: "a critical issue in the wrong case",
    text: document({ critical: "1. token leaks\n   - file: src/a.ts:1" }),
    expect: { verdict: "fail", findings: 1 },
  },
  {
    name: "an issue in a code fence",
    text: document({ critical: `\`\`\`\n${entry("Security")}\n\`\`\``, summary: counts(1, 1, 0, 0) }),
    expect: "inconclusive",
  },
  {
    name: "an issue in a quote",
    text: document({ critical: entry("Security").replace(/^/gm, "> "), summary: counts(1, 1, 0, 0) }),
    expect: "inconclusive",
  },
  {
    name: "an issue in an HTML comment that the summary counts",
    text: document({ critical: `<!--\n${entry("Security")}\n-->\nNone.`, summary: counts(1, 1, 0, 0) }),
    expect: "inconclusive",
  },
  {
    name: "issues in a table",
    text: document({ critical: "| # | Issue |\n|---|---|\n| 1 | The token leaks |", summary: counts(1, 1, 0, 0) }),
    expect: "inconclusive",
  },
  {
    name: "a line of zero",
    text: document({ minor: "1. **[Style]:** x\n   - **File:** src/a.ts:0", summary: counts(1, 0, 0, 1) }),
    expect: "inconclusive",
  },
  {
    name: "lines that end before they start",
    text: document({ minor: "1. **[Style]:** x\n   - **File:** src/a.ts, lines 9-3", summary: counts(1, 0, 0, 1) }),
    expect: "inconclusive",
  },
  {
    name: "two files fields",
    text: document({
      minor: "1. **[Style]:** x\n   - **File:** a.ts\n   - **File:** b.ts",
      summary: counts(1, 0, 0, 1),
    }),
    expect: { verdict: "pass", findings: 1 },
  },
  {
    name: "a field hidden in code",
    text: document({ minor: "1. **[Style]:** x\n\n```\n   - **File:** a.ts\n```", summary: counts(1, 0, 0, 1) }),
    expect: "inconclusive",
  },
  {
    name: "one important issue",
    text: document({ important: entry("Testing"), summary: counts(1, 0, 1, 0) }),
    expect: { verdict: "fail", findings: 1 },
  },
  {
    name: "a bold title with no category",
    text: document({ critical: "1. **The token leaks**", summary: counts(1, 1, 0, 0) }),
    expect: { verdict: "fail", findings: 1 },
  },
  {
    name: "an unnumbered critical issue",
    text: document({ critical: "- The token leaks", summary: counts(1, 1, 0, 0) }),
    expect: { verdict: "fail", findings: 1 },
  },

  // Counts
  {
    name: "the summary counts a critical more",
    text: document({ summary: counts(1, 1, 0, 0) }),
    expect: "inconclusive",
  },
  {
    name: "the summary counts an important more",
    text: document({ summary: counts(1, 0, 1, 0) }),
    expect: "inconclusive",
  },
  { name: "the summary counts a minor more", text: document({ summary: counts(1, 0, 0, 1) }), expect: "inconclusive" },
  { name: "only the total counts more", text: document({ summary: counts(3, 0, 0, 0) }), expect: "inconclusive" },
  {
    name: "the critical issue was removed from the list",
    text: unclean.replace(entry("Security"), "None identified."),
    expect: "not-pass",
  },
  {
    name: "the important issue was removed from the list",
    text: unclean.replace(entry("Testing", 2), "None identified."),
    expect: "not-pass",
  },
  {
    name: "the critical issue was moved to minor",
    text: unclean
      .replace(entry("Security"), "None.")
      .replace(entry("Style", 3), `${entry("Style", 3)}\n\n${entry("Security", 4)}`),
    expect: "not-pass",
  },
  {
    name: "the summary counts fewer than the list",
    text: document({ critical: entry("Security") }),
    expect: { verdict: "fail", findings: 1 },
  },
  {
    name: "no total",
    text: document({ summary: counts(0, 0, 0, 0).replace(/^.*Total.*\n/, "") }),
    expect: "inconclusive",
  },
  {
    name: "no critical count",
    text: document({ summary: counts(0, 0, 0, 0).replace(/- \*\*Critical.*\n/, "") }),
    expect: "inconclusive",
  },
  {
    name: "no important count",
    text: document({ summary: counts(0, 0, 0, 0).replace(/- \*\*Important.*\n/, "") }),
    expect: "inconclusive",
  },
  {
    name: "no minor count",
    text: document({ summary: counts(0, 0, 0, 0).replace(/- \*\*Minor.*\n/, "") }),
    expect: "inconclusive",
  },
  {
    name: "the template's letters as counts",
    text: document({ summary: counts("N", "X", "Y", "Z") }),
    expect: "inconclusive",
  },
  { name: "a count in words", text: document({ summary: counts("zero", 0, 0, 0) }), expect: "inconclusive" },
];
