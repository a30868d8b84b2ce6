import { describe, expect, test } from "vitest";
import { issueList } from "./issue-list.ts";
import { finding } from "./testing/findings.ts";

const findings = [
  finding({ severity: "info", category: "style", title: "Name", description: "Says nothing." }),
  finding({
    severity: "medium",
    category: "testing",
    title: "No burst test",
    description: "No test bursts.\nNone retries.",
    file: "src/bucket.test.ts",
  }),
  finding({
    severity: "critical",
    category: "compliance",
    title: "Negative limits",
    description: "They are accepted.",
    file: "src/bucket.ts",
    line: 12,
    endLine: 14,
    suggestion: "Refuse them.",
  }),
  finding({
    severity: "high",
    category: "logic",
    title: "Swallowed error",
    description: "Nobody sees it.",
    impact: "Wrong data\ngoes on.",
  }),
];

describe("issueList", () => {
  test("the gate's list groups errors, warnings and infos as seed 000 §6.2 does", () => {
    expect(issueList(findings, "gate")).toBe(`### ❌ Errors
1. [COMPLIANCE] Negative limits
   - They are accepted.
   - File: src/bucket.ts:12
   - Suggestion: Refuse them.

2. [CODE] Swallowed error
   - Nobody sees it.
   - Impact: Wrong data
     goes on.

### ⚠️ Warnings
1. [TEST] No burst test
   - No test bursts.
     None retries.
   - File: src/bucket.test.ts

### ℹ️ Info
1. [CODE] Name
   - Says nothing.`);
  });

  test("the pull request's list goes by severity, critical first, in seed 001's words", () => {
    expect(issueList(findings, "pull-request")).toBe(`1. [critical] logic: Negative limits
   - They are accepted.
   - File: src/bucket.ts:12-14
   - Suggested fix: Refuse them.

2. [high] logic: Swallowed error
   - Nobody sees it.
   - Impact: Wrong data
     goes on.

3. [medium] testing: No burst test
   - No test bursts.
     None retries.
   - File: src/bucket.test.ts

4. [suggestion] style: Name
   - Says nothing.`);
  });

  test("the advisory list has one section per issue, as seed 004 §4.5 draws it", () => {
    expect(issueList(findings.slice(1, 3), "advisory")).toBe(`## Issue 1: warning
**File**: src/bucket.test.ts
**Problem**: No burst test: No test bursts.
None retries.

## Issue 2: error
**File**: src/bucket.ts:12
**Problem**: Negative limits: They are accepted.
**Suggestion**: Refuse them.`);
  });

  test.for(["gate", "pull-request", "advisory"] as const)("without findings the %s list is empty", (style) => {
    expect(issueList([], style)).toBe("");
  });

  test.for(["gate", "pull-request", "advisory"] as const)("the %s list carries no control characters", (style) => {
    const hostile = finding({
      title: "a\u001b[31mb\nc",
      description: "d\u0007e",
      impact: "i\u0000j",
      file: "f\n.ts",
      suggestion: "g\u009bh",
    });
    expect(issueList([hostile], style)).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});
