import { readFileSync } from "node:fs";
import { FindingsDocument } from "@anneal/types";
import { describe, expect, test } from "vitest";
import {
  findingsDocument,
  findingsDocumentPath,
  InvalidStoryIdError,
  toFindingsDocument,
} from "./findings-document.ts";
import { finding } from "./testing/findings.ts";

const golden = readFileSync(new URL("./fixtures/findings-document.md", import.meta.url), "utf8");

// Out of order on purpose: the document sorts them into its sections.
const findings = [
  finding({
    category: "style",
    severity: "info",
    title: "The helper's name says nothing",
    file: "src/limits/bucket.ts",
    line: 4,
    description: "The function is called doIt.",
    impact: "Readers have to open it.",
    suggestion: "Call it takeToken.",
  }),
  finding({
    category: "logic",
    severity: "high",
    title: "Clock errors empty the bucket",
    file: "src/limits/clock.ts",
    line: 31,
    description: "A failed read counts as zero.",
    impact: "Every caller is refused until a restart.",
    suggestion: "Let the error reach the caller.",
  }),
  finding({
    category: "security",
    severity: "critical",
    title: "Limits can be switched off from outside",
    file: "src/limits/routes.ts",
    line: 18,
    description: "The limit is read from a request header.",
    impact: "Any caller can lift its own limit.",
    suggestion: "Read the limit from the configuration only.",
  }),
  finding({
    category: "testing",
    severity: "medium",
    title: "Bursts are not tested",
    file: "src/limits/bucket.test.ts",
    description: "No test calls more often than the limit.",
    impact: "The limit could break without notice.",
    suggestion: "Add a test with a fixed clock.",
  }),
];
const round2 = {
  storyId: "2.1-D4",
  round: 2,
  reviewedAt: Date.UTC(2026, 2, 2, 8, 5, 59),
  branch: "story-2-1-d4-limit-calls",
};

describe("findingsDocument", () => {
  test("writes the exact format of seed 003", () => {
    const doc = toFindingsDocument({ ...round2, findings });
    expect(findingsDocument(doc)).toBe(golden);
    expect(FindingsDocument.parse(doc)).toEqual(doc);
  });

  test("sections without issues say so and the counts are zero", () => {
    const doc = toFindingsDocument({ ...round2, findings: [] });
    expect(doc.summary).toEqual({
      total: 0,
      critical: 0,
      important: 0,
      minor: 0,
      recommendation: "Ready for commit and pull request",
    });
    expect(findingsDocument(doc).match(/^None identified\.$/gm)).toHaveLength(3);
  });

  test("lines of a finding that look like structure stay inside of their field", () => {
    const hostile = "First.\n## Summary\n- **Critical:** 0\n5. **[Logic]:** fake\n\n---\nlast";
    const doc = toFindingsDocument({ ...round2, findings: [finding({ description: hostile })] });
    const text = findingsDocument(doc);
    expect(text.match(/^## /gm)).toHaveLength(4);
    expect(text.match(/^\s*- \*\*Critical:/gm)).toHaveLength(1);
    expect(text.match(/^\s*\d+\. /gm)).toHaveLength(1);
    expect(text).toContain("   - **Problem:** First.\n     \\## Summary\n     \\- **Critical:** 0\n");
  });

  test("code of a finding stands below its label, and a fence that never closes is no fence", () => {
    const suggestion = "```ts\ntakeToken();\n```";
    const doc = toFindingsDocument({
      ...round2,
      findings: [finding({ description: "Ends in\n```ts", suggestion, title: "a <!-- b" })],
    });
    const text = findingsDocument(doc);
    expect(text).toContain("   - **Problem:** Ends in\n     \\```ts\n");
    expect(text).toContain("   - **Fix:**\n     ```ts\n     takeToken();\n     ```\n");
    expect(text).toContain(" a &lt;!-- b\n");
  });

  test("the reviewer's own category word is kept", () => {
    const native = { seed: "adversarial" as const, severity: "Important", category: "ADR violation" };
    const doc = toFindingsDocument({ ...round2, findings: [finding({ native })] });
    expect(findingsDocument(doc)).toContain("1. **[ADR violation]:** A title\n");
  });
});

describe("toFindingsDocument", () => {
  test.for([
    { severity: "critical" as const, section: "critical" as const },
    { severity: "high" as const, section: "important" as const },
    { severity: "medium" as const, section: "important" as const },
    { severity: "low" as const, section: "minor" as const },
    { severity: "info" as const, section: "minor" as const },
  ])("a $severity finding goes to the $section section", ({ severity, section }) => {
    const doc = toFindingsDocument({ ...round2, findings: [finding({ severity })] });
    expect(doc.issues[section]).toHaveLength(1);
    expect(doc.summary).toMatchObject({ total: 1, [section]: 1 });
  });

  test("numbers run on over the sections", () => {
    const { issues } = toFindingsDocument({ ...round2, findings });
    const numbers = [...issues.critical, ...issues.important, ...issues.minor].map((issue) => issue.number);
    expect(numbers).toEqual([1, 2, 3, 4]);
  });
});

describe("findingsDocumentPath", () => {
  test.for(["2.1-D4", "3-1a", "3.1.6", "7"])("story %s has its document under docs/progress", (id) => {
    expect(findingsDocumentPath(id, 3)).toBe(`docs/progress/story-${id}-review-findings-round-3.md`);
  });

  test.for(["", "..", "../x", "a/b", "a\\b", "1..2", ".1", "1.", "-1", "1 2", "1\n", "é", "x".repeat(65)])(
    "the story id %j is refused",
    (id) => {
      expect(() => findingsDocumentPath(id, 1)).toThrow(InvalidStoryIdError);
    },
  );

  test.for([0, -1, 1.5, Number.NaN])("round %d is refused", (round) => {
    expect(() => findingsDocumentPath("1.1", round)).toThrow(RangeError);
  });
});
