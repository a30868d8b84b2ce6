import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  CODE_REVIEW_VARIABLES,
  DEFAULT_CODE_REVIEW_PROMPT_TEMPLATE,
  DEFAULT_CODE_REVIEW_SYSTEM_PROMPT,
} from "./code-review.ts";
import { loadPrompt } from "./load.ts";
import { lintTemplate, placeholders } from "./render.ts";
import { loadFeedbackFixerPrompt, loadPrFeedbackAnalyzerPrompt, loadSelfReviewerPrompt } from "./review-loop/index.ts";

const severities001 = ["critical", "high", "medium", "low"];

describe("output contracts", () => {
  test.for([
    {
      role: "code review (seed 000)",
      text: DEFAULT_CODE_REVIEW_SYSTEM_PROMPT,
      holds: [
        "**[APPROVED]**",
        "**[REJECTED]**",
        "### Issues Found",
        "- **[CATEGORY]** - {severity}: {title}",
        ...["- Description:", "- File:", "- Line:", "- Suggestion:"],
        ...["COMPLIANCE", "CODE", "TEST", "ARCHITECTURE", "PERFORMANCE"],
        ...["error", "warning", "info"],
        "### Summary",
      ],
    },
    {
      role: "self-reviewer (seed 001)",
      text: loadSelfReviewerPrompt(),
      holds: [
        '"verdict": "pass" | "needs_work" | "critical_issues"',
        '"severity": "critical" | "high" | "medium" | "low" | "suggestion"',
        '"category": "security" | "architecture" | "logic" | "style" | "performance" | "testing" | "documentation"',
        ...['"issues"', '"file"', '"lineStart"', '"lineEnd"', '"description"', '"suggestedFix"', '"summary"'],
      ],
    },
    {
      role: "feedback fixer (seed 001)",
      text: loadFeedbackFixerPrompt(),
      holds: ["critical", "## Report"],
    },
    {
      role: "pull request feedback analyzer (seed 001)",
      text: loadPrFeedbackAnalyzerPrompt(),
      holds: [
        ...['"actionableIssues"', '"source": "comment" | "review" | "check"', '"sourceId"', '"author"'],
        `"severity": ${severities001.map((word) => `"${word}"`).join(" | ")}`,
        ...['"file"', '"line"', '"description"', '"suggestedAction"'],
        ...['"questionsToAnswer"', '"question"', '"suggestedResponse"', '"requiresHumanDecision"', '"reason"'],
        '"overallStatus": "ready_to_fix" | "needs_human_input" | "blocked"',
      ],
    },
    {
      role: "ticket reviewer (seed 002)",
      text: loadPrompt("ticket/reviewer.md"),
      holds: [
        ...['"ticket_id"', '"reviewed_at"', '"reviewer": "code-review-agent"', '"status"', '"overall_score"'],
        ...['"revision_count"', '"dimension_scores"', '"findings"', '"blocking_issues"', '"revision_notes"'],
        ...['"approved"', '"pass_criteria_met"', '"dimension"', '"severity"', '"file"', '"line"', '"message"'],
        ...['"suggestion"', '"required_action"', '"all_critical_dimensions_pass"', '"no_blocking_issues"'],
        '"overall_score_above_threshold"',
        ...["`requirement_adherence` (critical)", "`coordination_compliance` (critical)"],
        ...["`code_quality` (important)", "`pattern_consistency` (important)", "`test_quality` (important)"],
        "`security_performance` (moderate)",
        ...["at least 90", "at least 70", "at least 75", "`error`", "`warning`", "`info`", "`pass`", "`fail`"],
      ],
    },
    {
      role: "story reviewer (seed 003)",
      text: loadPrompt("story/reviewer.md"),
      holds: [
        "Code Review Findings - Round N",
        ...["**Reviewer:** Agent (Fresh Context)", "**Date:** YYYY-MM-DD HH:MM", "**Branch:**"],
        ...["## Critical Issues (Must Fix)", "## Important Issues (Should Fix)", "## Minor Issues (Nice to Have)"],
        ...["1. **[Category]:**", "- **File:**", "- **Problem:**", "- **Impact:**", "- **Fix:**", "## Summary"],
        ...["**Total findings:**", "**Critical:**", "**Important:**", "**Minor:**", "**Recommendation:**"],
      ],
    },
    {
      role: "story fixer (seed 003)",
      text: loadPrompt("story/fixer.md"),
      holds: ["every Critical and every Important finding", "80%", "acceptance criterion"],
    },
    {
      role: "diff reviewer (seed 004)",
      text: loadPrompt("diff/reviewer.md"),
      holds: [
        ...['"passed"', '"summary"', '"issues"', '"file"', '"line"', '"severity"', '"message"', '"suggestion"'],
        "`error`, `warning`, `suggestion`",
      ],
    },
    {
      role: "fixer protocol",
      text: loadPrompt("protocol/fixer.md"),
      holds: ["Never delete, skip, loosen", "silences a checker", "Never commit", "push"],
    },
  ])("$role states its contract to the letter", ({ text, holds }) => {
    for (const part of holds) expect(text).toContain(part);
  });

  test("the scorecard example of the ticket reviewer is valid JSON with the weighted overall score", () => {
    const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(loadPrompt("ticket/reviewer.md"))?.[1] ?? "");
    const weight: Record<string, number> = { critical: 3, important: 2, moderate: 1 };
    const scores: { score: number; weight: string }[] = Object.values(example.dimension_scores);
    const total = scores.reduce((sum, { score, weight: word }) => sum + score * (weight[word] ?? 0), 0);
    expect(scores).toHaveLength(6);
    expect(example.overall_score).toBe(Math.round(total / 13));
  });

  test("a fixer's answer ends with its refutations and what it addressed, in a fixed form", () => {
    const example = JSON.parse(/```json\n([\s\S]*?)```$/.exec(loadPrompt("protocol/fixer.md"))?.[1] ?? "");
    expect(example).toEqual({ refuted: [{ fingerprint: "…", evidence: "…" }], addressed: ["…"] });
  });

  test("the example of the diff reviewer is valid JSON", () => {
    const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(loadPrompt("diff/reviewer.md"))?.[1] ?? "");
    expect(Object.keys(example)).toEqual(["passed", "summary", "issues"]);
  });
});

describe("rules of the roles", () => {
  const reviewers = ["code-review/system.md", "review-loop/self-reviewer.md", "ticket/reviewer.md"].concat([
    "story/reviewer.md",
    "diff/reviewer.md",
  ]);
  test.for(reviewers)("%s asks for a failure scenario, no taste, and what was not looked at", (file) => {
    const text = loadPrompt(file);
    expect(text).toMatch(/failure scenario|concrete failure|concrete scenario/);
    expect(text).toMatch(/taste/i);
    expect(text).toMatch(/not look(ed)? at/);
  });

  test.for(["feature", "ticket", "story", "unit"])("there is an implementer prompt for a %s", (kind) => {
    expect(loadPrompt(`implementer/${kind}.md`)).toMatch(/^# .*Implementer/);
  });
});

test("the default template uses all four variables and no other", () => {
  expect(placeholders(DEFAULT_CODE_REVIEW_PROMPT_TEMPLATE).sort()).toEqual([...CODE_REVIEW_VARIABLES].sort());
  expect(lintTemplate(DEFAULT_CODE_REVIEW_PROMPT_TEMPLATE, CODE_REVIEW_VARIABLES)).toEqual([]);
});

test("every prompt file is loaded as it is", () => {
  const folder = new URL(".", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((f) => f.endsWith(".md"));
  expect(files.length).toBeGreaterThan(15);
  for (const file of files) expect(loadPrompt(file)).toBe(readFileSync(new URL(file, folder), "utf8").trimEnd());
});
