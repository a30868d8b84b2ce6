import { describe, expect, test } from "vitest";
import type { ReviewedPaths } from "./answer/path.ts";
import { readFindingsReport } from "./findings-document.ts";
import { signOff } from "./testing/sign-off.ts";

interface Parts {
  title?: string;
  critical?: string;
  important?: string;
  minor?: string;
  summary?: string;
  after?: string;
}
const counts = (critical: number, important: number, minor: number) =>
  `- **Total findings:** ${critical + important + minor}\n- **Critical:** ${critical}\n- **Important:** ${important}\n- **Minor:** ${minor}\n- **Recommendation:** ${critical + important > 0 ? "Fix it." : "Ready to merge."}`;
const document = (parts: Parts) => `${parts.title ?? "# Story 2.1-D4 Code Review Findings - Round 2"}

**Reviewer:** Agent (Fresh Context)
**Date:** 2026-01-09 14:22
**Branch:** story-2-1-d4-tokens

## Critical Issues (Must Fix)

${parts.critical ?? "None identified."}

## Important Issues (Should Fix)

${parts.important ?? "None identified."}

## Minor Issues (Nice to Have)

${parts.minor ?? "None identified."}

## Summary

${parts.summary ?? counts(parts.critical ? 1 : 0, parts.important ? 1 : 0, parts.minor ? 1 : 0)}
${parts.after ?? ""}
${signOff()}
END OF REVIEW
`;
const entry = (file: string) => `1. **[Security]:** The token is logged
   - **File:** ${file}
   - **Problem:** The whole header is logged.
   - **Impact:** Log readers can sign in.
   - **Fix:** Log the id only.`;
const found = (parts: object = {}) => ({
  severity: "critical",
  category: "security",
  title: "The token is logged",
  description: "The whole header is logged.",
  impact: "Log readers can sign in.",
  suggestion: "Log the id only.",
  native: { seed: "adversarial", severity: "Critical", category: "Security" },
  ...parts,
});
const at = (file: string, line?: number, endLine?: number) => ({
  file,
  ...(line === undefined ? {} : { line }),
  ...(endLine === undefined ? {} : { endLine }),
});

const cases: { name: string; text: string; where?: ReviewedPaths; report: object }[] = [
  {
    name: "the seed's own form",
    text: document({ critical: entry("src/a.ts:12") }),
    report: {
      claim: null,
      summary: "Fix it.",
      recommendation: "Fix it.",
      findings: [found(at("src/a.ts", 12))],
      notes: [],
    },
  },
  { name: "a clean document", text: document({}), report: { claim: null, findings: [], notes: [] } },
  {
    name: "lines in words",
    text: document({ critical: entry("src/a.ts, lines 129-134") }),
    report: { findings: [found(at("src/a.ts", 129, 134))] },
  },
  {
    name: "lines in brackets",
    text: document({ critical: entry("`src/a.ts` (line 7)") }),
    report: { findings: [found(at("src/a.ts", 7))] },
  },
  {
    name: "a link with an anchor",
    text: document({ critical: entry("[a.ts](src/a.ts#L3-L9)") }),
    report: { findings: [found(at("src/a.ts", 3, 9))] },
  },
  {
    name: "an absolute path into a worktree",
    text: document({ critical: entry("/home/me/app/.worktrees/story-2/lib/a.ts:4") }),
    where: { roots: ["/home/me/app/.worktrees/story-2", "/home/me/app"], files: [] },
    report: { findings: [found(at("lib/a.ts", 4))], notes: [] },
  },
  {
    name: "an absolute path that ends with one changed file",
    text: document({ critical: entry("/home/me/shop/src/a.ts:4") }),
    where: { roots: [], files: ["src/a.ts", "src/b.ts"] },
    report: { findings: [found(at("src/a.ts", 4))], notes: [] },
  },
  {
    name: "an absolute path that cannot be placed, with a note",
    text: document({ critical: entry("/opt/thing/a.ts:4") }),
    report: {
      findings: [found(at("/opt/thing/a.ts", 4))],
      notes: ['The absolute path "/opt/thing/a.ts" could not be made relative to the repository.'],
    },
  },
  {
    name: "a Windows path",
    text: document({ critical: entry("C:\\work\\shop\\src\\a.ts:4") }),
    where: { roots: ["C:\\work\\shop"], files: [] },
    report: { findings: [found(at("src/a.ts", 4))] },
  },
  {
    name: "a place with words behind it",
    text: document({ critical: entry("`src/a.ts` (line ~7 in the diff)") }),
    report: { findings: [found(at("src/a.ts", 7))] },
  },
  {
    name: "a place that is a function",
    text: document({ critical: entry("src/a.ts, function parse") }),
    report: { findings: [found(at("src/a.ts"))] },
  },
  {
    name: "a list of files",
    text: document({
      critical: entry("x").replace("- **File:** x", "- **Files:**\n     - src/a.ts:1\n     - src/b.ts"),
    }),
    report: {
      findings: [found({ ...at("src/a.ts", 1), description: "The whole header is logged.\nAlso in src/b.ts." })],
    },
  },
  {
    name: "two lines for the file",
    text: document({ critical: entry("src/a.ts:1\n   - **File:** src/b.ts:2") }),
    report: {
      findings: [found({ ...at("src/a.ts", 1), description: "The whole header is logged.\nAlso in src/b.ts:2." })],
    },
  },
  {
    name: "files in one line",
    text: document({ critical: entry("src/a.ts:1, src/b.ts:2").replace("File:", "Files:") }),
    report: {
      findings: [found({ ...at("src/a.ts", 1), description: "The whole header is logged.\nAlso in src/b.ts:2." })],
    },
  },
  {
    name: "several lines, of which the first is kept with a note",
    text: document({ critical: entry("`src/a.ts`, lines 49 and 54") }),
    report: {
      findings: [found(at("src/a.ts", 49))],
      notes: ['Of the lines in "src/a.ts, lines 49 and 54" the first is kept.'],
    },
  },
  {
    name: "several ranges of lines and so on",
    text: document({ critical: entry("src/a.ts, lines 1-2, 5-6, etc.") }),
    report: { findings: [found(at("src/a.ts", 1, 2))] },
  },
  {
    name: "absolute paths joined by and",
    text: document({ critical: entry("/home/me/shop/src/a.ts:4 and /home/me/shop/src/b.ts") }),
    where: { roots: ["/home/me/shop"], files: [] },
    report: {
      findings: [found({ ...at("src/a.ts", 4), description: "The whole header is logged.\nAlso in src/b.ts." })],
    },
  },
  {
    name: "files in words, which name none",
    text: document({ critical: entry("All 6 test files (unit and e2e):").replace("File:", "Files:") }),
    report: { findings: [found()], notes: ['"All 6 test files (unit and e2e):" names no file.'] },
  },
  {
    name: "files in words, with their names in brackets",
    text: document({ critical: entry("Both test files (test/a.ts, test/b.ts):").replace("File:", "Files:") }),
    report: {
      findings: [found({ ...at("test/a.ts"), description: "The whole header is logged.\nAlso in test/b.ts." })],
    },
  },
  {
    name: "numbering that restarts in every section",
    text: document({ critical: entry("a.ts"), important: entry("b.ts"), minor: entry("c.ts") }),
    report: { findings: [found(at("a.ts")), { severity: "high", file: "b.ts" }, { severity: "low", file: "c.ts" }] },
  },
  {
    name: "a bold title with no category",
    text: document({ important: "1. **Expired tokens are not tested**\n   - **Problem:** Only fresh ones are." }),
    report: {
      findings: [
        {
          severity: "high",
          category: "logic",
          title: "Expired tokens are not tested",
          native: { seed: "adversarial", severity: "Important" },
        },
      ],
    },
  },
  {
    name: "entries as headings",
    text: document({
      critical:
        "### 1. [Security] The token is logged\n\n**File:** src/a.ts:12\n\n**Problem:** The whole header is logged.",
    }),
    report: {
      findings: [
        { title: "The token is logged", file: "src/a.ts", line: 12, description: "The whole header is logged." },
      ],
    },
  },
  {
    name: "code in the text",
    text: document({ critical: `${entry("src/a.ts:12")}\n\n     \`\`\`ts\n     log(token.id);\n     \`\`\`` }),
    report: {
      findings: [found({ ...at("src/a.ts", 12), suggestion: "Log the id only.\n\n```ts\nlog(token.id);\n```" })],
    },
  },
  {
    name: "other words for None",
    text: document({
      critical: "No critical issues found.",
      important: "_None_",
      minor: "- N/A",
      summary: counts(0, 0, 0),
    }),
    report: { findings: [], notes: [] },
  },
  {
    name: "a summary that counts fewer, with notes",
    text: document({ critical: entry("a.ts"), summary: counts(0, 0, 0) }),
    report: {
      findings: [found(at("a.ts"))],
      notes: [
        "The summary counts 0 for critical, but the document lists 1; the list counts.",
        "The summary counts 0 for total, but the document lists 1; the list counts.",
      ],
    },
  },
  {
    name: "a summary as a table",
    text: document({
      minor: entry("a.ts"),
      summary:
        "| Class | Count |\n|---|---|\n| Total findings | 1 |\n| Critical | 0 |\n| Important | 0 |\n| **Minor** | 1 |",
    }),
    report: { findings: [{ severity: "low" }], summary: "0 critical, 0 important and 1 minor findings." },
  },
  {
    name: "categories by what they are about",
    text: document({ minor: "1. **[Missing Test Coverage]:** x" }),
    report: { findings: [{ category: "testing", native: { category: "Missing Test Coverage" } }] },
  },
];

describe("readFindingsReport", () => {
  test.for(cases)("reads $name", ({ text, where, report }) => {
    const options = where === undefined ? {} : { where };
    expect(readFindingsReport({ text, finished: true }, options)).toMatchObject({ status: "complete", ...report });
  });
});

describe.for([
  "## Round 1 Issues -- Verification\n\nAll three issues of round 1 have been properly resolved.",
  "## Acceptance Criteria\n\n- AC1: met",
  "## Positive Notes\n\n- The tests are small",
])("a section that the form does not have: %s", (section) => {
  const title = /^## (.+)$/m.exec(section)?.[1];
  const problem = `The section "${title}" is not part of the form.`;
  const readWith = (parts: Parts) =>
    readFindingsReport({ text: document({ after: `\n${section}\n`, ...parts }), finished: true });

  test("makes a clean document inconclusive", () => {
    expect(readWith({})).toMatchObject({ status: "inconclusive", problems: [problem] });
  });

  test("is a note where the document fails anyway", () => {
    expect(readWith({ critical: entry("src/a.ts:1") })).toMatchObject({ partlyRead: true, notes: [problem] });
  });
});
