import type { CompleteReport, Finding } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { readDecisionText } from "./decision-text.ts";
import { signOff } from "./testing/sign-off.ts";

type Case = { name: string; text: string; report: Partial<CompleteReport> };
const native = (severity: string, category?: string) => ({
  seed: "gate" as const,
  severity,
  ...(category === undefined ? {} : { category }),
});
const nothing: Partial<CompleteReport> = { claim: "pass", findings: [] };
const finding = (parts: Partial<Finding>): Finding => ({
  category: "logic",
  severity: "high",
  title: "A failed query is ignored",
  description: "",
  native: native("error", "code"),
  ...parts,
});
const wrap = (decision: string, issues: string, summary = "Fine.") =>
  `${decision}\n\n### Issues Found\n${issues}\n\n### Summary\n${summary}\n`;

const cases: Case[] = [
  {
    name: "the seed's own form, with every field",
    text: wrap(
      "**[REJECTED]**",
      "- **[COMPLIANCE]** - error: Missing password validation\n  - Description: Empty passwords are accepted\n  - File: src/auth/validator.ts\n  - Line: 45\n  - Suggestion: Ask for 8 characters",
      "Passwords are not validated.\n\nAdd the check before the next review.",
    ),
    report: {
      claim: "fail",
      summary: "Passwords are not validated.",
      demand: "Add the check before the next review.",
      findings: [
        finding({
          category: "compliance",
          title: "Missing password validation",
          description: "Empty passwords are accepted",
          file: "src/auth/validator.ts",
          line: 45,
          suggestion: "Ask for 8 characters",
          native: native("error", "compliance"),
        }),
      ],
    },
  },
  { name: "an approval with None", text: wrap("**[APPROVED]**", "None"), report: { ...nothing, summary: "Fine." } },
  {
    name: "No issues found with a remark",
    text: wrap("[APPROVED]", "No issues found. The tests are thorough."),
    report: nothing,
  },
  { name: "the bare word", text: wrap("APPROVED", "- None"), report: nothing },
  { name: "the decision as a heading", text: wrap("## Decision: APPROVED", "_None_"), report: nothing },
  {
    name: "a decision with its prefix and picture",
    text: wrap("**Review Decision:** ✅ [APPROVED]", "N/A"),
    report: nothing,
  },
  {
    name: "a preamble before the decision",
    text: wrap("I looked at every file.\n\n**[APPROVED]**", "**None**"),
    report: nothing,
  },
  {
    name: "stars, bold and capital severities",
    text: wrap("[APPROVED]", "* **[CODE]** - **WARNING**: A failed query is ignored"),
    report: { findings: [finding({ severity: "medium", native: native("warning", "code") })] },
  },
  {
    name: "numbered issues with the place in one field",
    text: wrap("[REJECTED]", "1. **[CODE]** - error: A failed query is ignored\n   - File: `src/login.ts:78-80`"),
    report: { claim: "fail", findings: [finding({ file: "src/login.ts", line: 78, endLine: 80 })] },
  },
  {
    name: "a bold head and bold labels",
    text: wrap(
      "[REJECTED]",
      "- **[CODE] - error: A failed query is ignored**\n  - **File:** src/login.ts\n  - **Line:** 78",
    ),
    report: { findings: [finding({ file: "src/login.ts", line: 78 })] },
  },
  {
    name: "a description of several lines and a fence in the suggestion",
    text: wrap(
      "[REJECTED]",
      "- **[CODE]** - error: A failed query is ignored\n  - Description: The promise is\n    never awaited.\n  - Suggestion: Await it:\n    ```ts\n    await query();\n    ```",
    ),
    report: {
      findings: [
        finding({
          description: "The promise is\nnever awaited.",
          suggestion: "Await it:\n```ts\nawait query();\n```",
        }),
      ],
    },
  },
  {
    name: "labels that are not indented",
    text: wrap("[REJECTED]", "- **[CODE]** - error: A failed query is ignored\n- File: src/login.ts\n- Line: 78"),
    report: { findings: [finding({ file: "src/login.ts", line: 78 })] },
  },
  {
    name: "issues grouped under headings of their own",
    text: wrap("[APPROVED]", "#### Tests\n- **[TEST COVERAGE]** - info: Edge cases are missing"),
    report: {
      findings: [
        finding({
          category: "testing",
          severity: "info",
          title: "Edge cases are missing",
          native: native("info", "test"),
        }),
      ],
    },
  },
  {
    name: "a category that is ours but not the seed's",
    text: wrap("[REJECTED]", "- **[SECURITY]** - error: The token is logged"),
    report: { findings: [finding({ category: "security", title: "The token is logged", native: native("error") })] },
  },
  {
    name: "fields that do not apply",
    text: wrap("[APPROVED]", "- **[CODE]** - info: A failed query is ignored\n  - File: N/A\n  - Line: N/A"),
    report: { findings: [finding({ severity: "info", native: native("info", "code") })] },
  },
  {
    name: "compliance by marks and a demand of its own",
    text: `${wrap("[REJECTED]", "None", "One requirement is missing.")}\n### Compliance\n- ✓ Sign-up\n- ❌ Password reset\n\n### Must be fixed before next review\nAdd the reset.\n`,
    report: {
      claim: "fail",
      compliance: { met: ["Sign-up"], unmet: ["Password reset"] },
      demand: "Add the reset.",
    },
  },
  {
    name: "compliance under two headings",
    text: wrap(
      "[APPROVED]\n\n### Compliance\n#### ✓ Compliant\n- Sign-up\n\n#### ❌ Non-Compliant / Incomplete\n- None",
      "None",
    ),
    report: { claim: "pass", compliance: { met: ["Sign-up"], unmet: [] } },
  },
  {
    name: "rulings on earlier findings",
    text: wrap(
      "[APPROVED]\n\n### Rulings\n- `9f2c01`: fixed - line 45 checks it\n- ab12: **Refuted** - the caller checks it\n- cd34: open",
      "None",
    ),
    report: {
      rulings: [
        { fingerprint: "9f2c01", ruling: "fixed", evidence: "line 45 checks it" },
        { fingerprint: "ab12", ruling: "refuted", evidence: "the caller checks it" },
        { fingerprint: "cd34", ruling: "open" },
      ],
    },
  },
];

describe("readDecisionText", () => {
  test.for(cases)("reads $name", ({ text, report }) => {
    const met = report.compliance?.met.length;
    const signed = signOff(met === undefined ? {} : { Requirements: `${met} of ${met} met` });
    const end = text.includes("[REJECTED]") ? "" : `${signed}\n`;
    const answer = { text: `${text}\n${end}END OF REVIEW`, finished: true };
    expect(readDecisionText(answer)).toMatchObject({ status: "complete", ...report });
  });

  test("takes a decorated closing line", () => {
    const text = `${wrap("[APPROVED]", "None")}\n${signOff()}\n**\`END OF REVIEW\`**\n\n`;
    expect(readDecisionText({ text, finished: true })).toMatchObject({ claim: "pass", summary: "Fine." });
  });

  test("reads an answer without closing line where it ends with its sign-off, and a stored one in any case", () => {
    const whole = { text: `${wrap("[APPROVED]", "None")}\n${signOff()}`, finished: true };
    const cut = { text: wrap("[APPROVED]", "None", "Fine. The callers of"), finished: true };
    expect(readDecisionText(whole)).toMatchObject({
      status: "complete",
      notes: [expect.stringContaining("closing line")],
    });
    expect(readDecisionText(cut).status).toBe("inconclusive");
    expect(readDecisionText(whole, { closing: "required" }).status).toBe("inconclusive");
    expect(readDecisionText(whole, { closing: "optional" })).toMatchObject({ status: "complete", notes: [] });
    const stored = { closing: "optional", signOff: "not-asked" } as const;
    expect(readDecisionText(cut, stored)).toMatchObject({ status: "complete", notes: [] });
  });

  test.for([
    ["code fence", "```ts\nconst a = 1;"],
    ["HTML comment", "<!-- and more"],
  ] as const)("refuses a stored answer with a %s that is never closed", ([what, rest]) => {
    const answer = { text: wrap("[APPROVED]", "None", `Fine.\n\n${rest}`), finished: true };
    expect(readDecisionText(answer, { closing: "optional" })).toEqual({
      status: "inconclusive",
      reason: expect.stringContaining(what),
      problems: [expect.stringContaining(what)],
    });
  });

  // Patterns that backtrack would take minutes over these.
  test.for([
    ["backticks", "`".repeat(1_000_000)],
    ["blanks", `a${" ".repeat(20_000)}b`],
    ["tabs", `a${"\t".repeat(20_000)}b`],
    ["colons", `a${":".repeat(9_000)}b`],
    ["empty lines", "\n".repeat(200_000)],
  ] as const)("does not lose itself in long runs of %s", ([, run]) => {
    const text = `### ${run}\n[APPROVED]\n\n### Issues Found\n- **[CODE]** - info: ${run}\n  - File: ${run}\n\n### Rulings\n- ${run}\n\n### Summary\n${run}\n\nEND OF REVIEW`;
    expect(readDecisionText({ text, finished: true }).status).toBe("inconclusive");
  });
});

test.for([
  { last: "I read the whole diff.", reads: true },
  { last: "Let me check the tests as well.", reads: false },
  { last: "I now come to the second half of the branch.", reads: false },
  { last: "Ready to merge with one exception.", reads: false },
  { last: "I checked ...", reads: false },
])("without its closing line, an approval that ends with $last is read: $reads", ({ last, reads }) => {
  const text = `**[APPROVED]**\n\n### Issues Found\n\nNone\n\n### Summary\n\nDoes what was asked. ${last}\n`;
  const report = readDecisionText({ text, finished: true }, { signOff: "not-asked" });
  expect(report.status).toBe(reads ? "complete" : "inconclusive");
});
