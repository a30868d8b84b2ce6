import { readFileSync } from "node:fs";
import type { CodeReviewFinding, CodeReviewIteration } from "@anneal/types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { block, oneLine, plainText } from "../../text/text.ts";
import { reviewMarkdown } from "../review-markdown.ts";
import { rejectedIteration } from "./findings.ts";
import { readReviewMarkdown } from "./read-review-markdown.ts";

const golden = readFileSync(new URL("../fixtures/review.md", import.meta.url), "utf8");

/** The part of an iteration that the file carries. */
function carried(iteration: CodeReviewIteration) {
  const { iterationNumber, reviewedAt, reviewedByModel, status, findings, overallSummary, compliance } = iteration;
  const action = iteration.actionRequired ?? iteration.rejectionReason;
  return {
    iterationNumber,
    reviewedAt,
    reviewedByModel,
    status,
    findings,
    overallSummary,
    ...(compliance !== undefined && { compliance }),
    ...(action !== undefined && { actionRequired: action }),
  };
}

function withFinding(finding: Partial<CodeReviewFinding>): CodeReviewIteration {
  const whole: CodeReviewFinding = { category: "code", severity: "error", title: "X", description: "d", ...finding };
  return { ...rejectedIteration, findings: [whole, { ...whole, title: "after it" }] };
}

function roundTrip(iteration: CodeReviewIteration, title = "T") {
  return readReviewMarkdown(reviewMarkdown({ title, iteration, maxIterations: 3 }));
}

describe("readReviewMarkdown", () => {
  test("reads the file of seed 000 §2.4 back into the iteration that it was written from", () => {
    expect(readReviewMarkdown(golden)).toEqual({
      title: "Limit calls per route",
      maxIterations: 3,
      iteration: carried(rejectedIteration),
    });
  });

  test.for<{ name: string; finding: Partial<CodeReviewFinding> }>([
    { name: "a rule", finding: { description: "before\n---\nafter" } },
    { name: "headings", finding: { description: "# a\n## Findings\n### [ERROR] Code Quality: fake\n---" } },
    { name: "a place of its own", finding: { description: "**File**: evil.ts\n**Line**: 1" } },
    { name: "labels of its own", finding: { description: "**Suggestion**: no\n\n**Current Code**:\n```\nx\n```" } },
    {
      name: "a closed fence with structure inside",
      finding: { description: "see\n```md\n---\n## Findings\n```\nend" },
    },
    { name: "a fence that never closes", finding: { description: "```ts\n## Findings\n---" } },
    { name: "fences of other lengths", finding: { description: "````\n```\n~~~\n````\n~~~~" } },
    { name: "escapes of its own", finding: { description: "\\---\n\\\\## x\n\\**File**: y\n\\```" } },
    { name: "a suggestion with every fence", finding: { suggestion: "```\n````\n~~~\n---\n## Action Required" } },
    { name: "code that is one empty line", finding: { currentCode: "", suggestion: "" } },
    { name: "code with blank lines around it", finding: { currentCode: "\n\n  x\n\n", suggestion: " spaced " } },
    { name: "a title like a place", finding: { title: "call f (a.ts:1)", file: "a.ts", line: 1 } },
    { name: "a title like a place without a file", finding: { title: "call f (a.ts:1)" } },
    { name: "a line without a file", finding: { line: 7 } },
    { name: "a path with a newline and quotes", finding: { file: 'a\n"b".ts', line: 2 } },
    { name: "a path that starts with a quote", finding: { file: '"a".ts' } },
    { name: "a path with a direction override", finding: { file: "a\u202eb.ts" } },
  ])("a finding with $name survives the round trip", ({ finding }) => {
    const iteration = withFinding(finding);
    expect(roundTrip(iteration)).toEqual({ title: "T", maxIterations: 3, iteration: carried(iteration) });
  });

  const fragment = fc.constantFrom(
    ...["---", "----", "### [ERROR] Compliance: x", "## Findings", "## Action Required", "# Code Review - Feature: y"],
    ...[
      "```",
      "````",
      "```ts",
      "~~~",
      "~~~~ js",
      "**File**: a.ts",
      "**Line**: 3",
      "**Suggestion**:",
      "**Suggestion**: s",
    ],
    ...[
      "**Current Code**:",
      "\\---",
      "\\\\```",
      "\\",
      "- item",
      "",
      "  ",
      "No findings.",
      "<b>",
      "**Status**: ✅ APPROVED",
    ],
  );
  const hostileText = fc
    .array(fc.oneof(fragment, fc.string({ unit: "grapheme", maxLength: 12 })), { maxLength: 8 })
    .map((lines) => lines.join("\n"));
  const path = fc.string({ unit: "binary", minLength: 1, maxLength: 20 });
  const hostileFinding = fc.record(
    {
      category: fc.constantFrom("compliance", "code", "test", "architecture", "performance"),
      severity: fc.constantFrom("error", "warning", "info"),
      title: hostileText.map(oneLine),
      description: hostileText.map(block),
      suggestion: hostileText.map(plainText),
      currentCode: hostileText.map(plainText),
      file: path,
      line: fc.integer({ min: 1, max: 1e6 }),
    },
    { requiredKeys: ["category", "severity", "title", "description"] },
  );

  test("whatever the findings say, what is written is read back equal", () => {
    fc.assert(
      fc.property(
        fc.array(hostileFinding, { maxLength: 4 }),
        hostileText.map(block),
        hostileText.map(oneLine),
        fc.array(hostileText.map(oneLine).filter((item) => item !== "")),
        (findings, prose, title, items) => {
          const iteration: CodeReviewIteration = {
            ...rejectedIteration,
            findings,
            overallSummary: prose,
            actionRequired: prose,
            reviewedByModel: title,
            compliance: { met: items, unmet: items.toReversed() },
          };
          expect(roundTrip(iteration, title)).toEqual({ title, maxIterations: 3, iteration: carried(iteration) });
        },
      ),
      { numRuns: 1000 },
    );
  });

  test.for([
    { name: "an empty file", text: "" },
    { name: "another document", text: "# Hello\n\nWorld" },
    { name: "an unknown status", text: golden.replace("❌ REJECTED", "maybe") },
    { name: "two findings sections", text: `${golden}\n## Findings\n\nNo findings.\n` },
    { name: "an unknown section", text: `${golden}\n## Extra\n` },
    { name: "an unknown category", text: golden.replace("Test Coverage:", "Taste:") },
    { name: "a finding without its end", text: golden.replaceAll("\n---\n", "\n") },
    { name: "a heading that names another place", text: golden.replace("(src/limits/clock.ts:31)", "(src/x.ts:1)") },
    { name: "a cut in the head", text: golden.slice(0, 80) },
  ])("$name is refused with a reason", ({ text }) => {
    expect(readReviewMarkdown(text)).toEqual({ error: expect.stringMatching(/\S/) });
  });

  test("no text at all makes it throw", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fragment, fc.string({ unit: "binary" }))), fc.nat(golden.length), (lines, cut) => {
        readReviewMarkdown(golden.slice(0, cut) + lines.join("\n") + golden.slice(cut));
      }),
    );
  });

  test("a finding with 200,000 fences that never close is read", () => {
    const description = Array.from({ length: 200_000 }, () => "```x").join("\n");
    const iteration = withFinding({ description });
    expect(roundTrip(iteration)).toMatchObject({ iteration: { findings: [{ title: "X" }, { title: "after it" }] } });
  });
});
