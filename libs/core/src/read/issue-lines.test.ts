import type { CompleteReport } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { readIssueLines } from "./issue-lines.ts";
import { readAsked, signed } from "./testing/sign-off.ts";

const found = (parts: object = {}) => ({
  severity: "high",
  category: "logic",
  file: "path/to/file.go",
  line: 42,
  title: "The context is never cancelled",
  description: "The context is never cancelled",
  native: { seed: "advisory", severity: "error" },
  ...parts,
});
const warning = found({ severity: "medium", native: { seed: "advisory", severity: "warning" } });
const LINE = "path/to/file.go:42: error: The context is never cancelled";
const issue = {
  file: "path/to/file.go",
  line: 42,
  severity: "error",
  message: "The context is never cancelled",
  suggestion: "Defer cancel",
};
const result = (parts: object = {}) =>
  JSON.stringify({ passed: false, summary: "One leak", issues: [issue], sign_off: signed, ...parts }, null, 2);
const clean = { claim: "pass", findings: [] } as const;

const cases: { name: string; text: string; report: object }[] = [
  {
    name: "the seed's own JSON",
    text: result(),
    report: { claim: "fail", summary: "One leak", findings: [found({ suggestion: "Defer cancel" })] },
  },
  {
    name: "JSON without issues",
    text: result({ passed: true, issues: [] }),
    report: { ...clean, summary: "One leak" },
  },
  {
    name: "JSON inside prose",
    text: `I read the diff.\n\n${result()}\n\nThat is all.`,
    report: { claim: "fail", findings: [found()] },
  },
  { name: "JSON in a fence", text: `\`\`\`json\n${result()}\n\`\`\``, report: { claim: "fail", findings: [found()] } },
  {
    name: "line zero as no line",
    text: result({ issues: [{ ...issue, line: 0 }] }),
    report: { findings: [{ native: found().native, file: "path/to/file.go" }] },
  },
  {
    name: "an issue without file",
    text: result({ issues: [{ severity: "suggestion", message: "Name it" }] }),
    report: { findings: [{ severity: "info", title: "Name it" }] },
  },
  { name: "no issues as the whole answer, without a full stop", text: "No issues found", report: clean },
  {
    name: "an issue as Codex lists it",
    text: "Full review comments:\n\n- [P1] Release the lock — /repo/internal/queue.go:42-45\n  If Pop fails the lock is kept.",
    report: {
      claim: "fail",
      findings: [
        {
          severity: "high",
          title: "Release the lock",
          description: "Release the lock\nIf Pop fails the lock is kept.",
          file: "internal/queue.go",
          line: 42,
          endLine: 45,
          native: { seed: "advisory", severity: "P1" },
        },
      ],
    },
  },
  {
    name: "Codex's four priorities",
    text: "- [P0] A\n- [P1] B\n- [P2] C — src/c.ts:3\n- [P3] D",
    report: {
      findings: [{ severity: "high" }, { severity: "high" }, { severity: "medium", line: 3 }, { severity: "info" }],
    },
  },
  { name: "one issue line", text: LINE, report: { claim: "fail", summary: "Found 1 issues", findings: [found()] } },
  {
    name: "issue lines with prose",
    text: `Reviewed 3 files.\n\n${LINE}\n${LINE.replace("error", "warning")}\n\nDone.`,
    report: { findings: [found(), warning] },
  },
  {
    name: "issue lines as a list",
    text: `- ${LINE}\n* ${LINE.replace("error", "warning")}\n1. ${LINE}`,
    report: { findings: [found(), warning, found()] },
  },
  { name: "issue lines with columns", text: LINE.replace(":42:", ":42:7:"), report: { findings: [found()] } },
  { name: "issue lines with ranges", text: LINE.replace(":42:", ":42-44:"), report: { findings: [found()] } },
  {
    name: "issue lines with code marks and bold",
    text: `- \`path/to/file.go:42\`: **error**: The context is never cancelled`,
    report: { findings: [found()] },
  },
  { name: "issue lines in a fence", text: `\`\`\`text\n${LINE}\n\`\`\``, report: { findings: [found()] } },
  {
    name: "a suggestion below its issue line",
    text: `${LINE}\n  Suggestion: Defer cancel`,
    report: { findings: [found({ suggestion: "Defer cancel" })] },
  },
  {
    name: "No issues found",
    text: "I read the diff.\n\nNo issues found.",
    report: { ...clean, summary: "No issues found" },
  },
  { name: "No issues were found in bold", text: "**No issues were found.**\n", report: clean },
  { name: "a passed review in one line", text: "Code review passed: No issues found.\n", report: clean },
  {
    name: "passed beside issues, the stricter word",
    text: result({ passed: true }),
    report: { claim: "fail", notes: ["The result says passed, but it has issues; they count."] },
  },
];

describe("readIssueLines", () => {
  test.for(cases)("reads $name", ({ text, report }) => {
    const expected: Partial<CompleteReport> = { status: "complete", ...report };
    const where = { roots: ["/repo"], files: [] };
    expect(readAsked("issue-lines", { text, finished: true }, { where })).toMatchObject(expected);
  });

  test.for([
    { text: "No issues found.", summary: "No issues found" },
    { text: LINE, summary: "Found 1 issues" },
    { text: `${LINE}\nDone.\n${LINE}\n${LINE}`, summary: "Found 3 issues" },
    { text: `No issues found.\n${LINE}\n${LINE}`, summary: "Found 2 issues" },
  ])("sums lines up with the number of issues, or that there are none: $summary", ({ text, summary }) => {
    expect(readAsked("issue-lines", { text, finished: true })).toMatchObject({ status: "complete", summary });
  });

  test("takes structured output instead of the text", () => {
    const structured = JSON.parse(result());
    expect(readIssueLines({ text: "", finished: true, structured })).toMatchObject({
      claim: "fail",
      findings: [found()],
    });
  });
});
