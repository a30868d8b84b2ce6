import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { reviewMarkdown } from "./review-markdown.ts";
import { rejectedIteration } from "./testing/findings.ts";

const golden = readFileSync(new URL("./fixtures/review.md", import.meta.url), "utf8");
const written = (over: Partial<typeof rejectedIteration>) =>
  reviewMarkdown({ title: "T", iteration: { ...rejectedIteration, ...over }, maxIterations: 3 });

describe("reviewMarkdown", () => {
  test("writes the exact format of seed 000 §2.4", () => {
    const text = reviewMarkdown({ title: "Limit calls per route", iteration: rejectedIteration, maxIterations: 3 });
    expect(text).toBe(golden);
  });

  test.for([
    { status: "approved" as const, line: "**Status**: ✅ APPROVED" },
    { status: "rejected" as const, line: "**Status**: ❌ REJECTED" },
    { status: "failed" as const, line: "**Status**: ⚠️ FAILED" },
  ])("a review that is $status says so in its status line", ({ status, line }) => {
    expect(written({ status }).split("\n")).toContain(line);
  });

  test.for([
    { category: "compliance" as const, label: "Compliance" },
    { category: "code" as const, label: "Code Quality" },
    { category: "test" as const, label: "Test Coverage" },
    { category: "architecture" as const, label: "Architecture" },
    { category: "performance" as const, label: "Performance" },
  ])("the category $category is headed $label", ({ category, label }) => {
    const text = written({ findings: [{ category, severity: "error", title: "X", description: "d" }] });
    expect(text).toContain(`### [ERROR] ${label}: X\nd\n\n---`);
  });

  test("a finding with a file and no line names the file alone", () => {
    const text = written({
      findings: [{ category: "code", severity: "info", title: "X", description: "d", file: "a b.ts" }],
    });
    expect(text).toContain("### [INFO] Code Quality: X (a b.ts)\n**File**: a b.ts\n\nd\n\n---");
  });

  test("the date is written in UTC whatever the offset of the timestamp", () => {
    expect(written({ reviewedAt: "2026-03-02T10:05:00.250+02:00" })).toContain(
      "**Reviewed At**: 2026-03-02 08:05:00 UTC",
    );
  });

  test("without an action of its own, the rejection reason is the action required", () => {
    const { actionRequired: _, ...rest } = rejectedIteration;
    const text = reviewMarkdown({ title: "T", iteration: rest as typeof rejectedIteration, maxIterations: 3 });
    expect(text).toContain("## Action Required\nLimits below 1 are accepted.\n");
  });

  test("a review without findings says so", () => {
    expect(written({ findings: [] })).toContain("## Findings\n\nNo findings.\n");
  });

  test("code with fences of its own gets a longer fence", () => {
    const text = written({
      findings: [{ category: "code", severity: "info", title: "X", description: "d", suggestion: "```\ninner\n```" }],
    });
    expect(text).toContain("**Suggestion**:\n````\n```\ninner\n```\n````");
  });

  test("escape sequences and line breaks in a title become one clean line", () => {
    const text = reviewMarkdown({ title: "a\u001b[31m\r\n# b\u0000", iteration: rejectedIteration, maxIterations: 3 });
    expect(text.split("\n")[0]).toBe("# Code Review - Feature: a # b");
  });
});
