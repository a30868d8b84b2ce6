import { describe, expect, test } from "vitest";
import type { z } from "zod";
import * as types from "./index.ts";

const iteration = {
  iterationNumber: 1,
  reviewedAt: "2026-03-02T08:05:00Z",
  reviewedByModel: "m",
  reviewedByProvider: "p",
  status: "approved",
  gitCommitHash: "0c1d2e3f",
  gitDiff: "",
  findings: [],
  overallSummary: "",
  reviewFile: "code-review-iteration-1.md",
};
const spec = { status: "approved", currentIteration: 1, maxIterations: 3, iterations: [iteration] };
const feature = { id: "feature-1", description: "d" };

function problems(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value);
  return error === undefined ? [] : types.describeIssues(error);
}

describe("wrong values", () => {
  test.for<{ what: string; schema: z.ZodType; value: unknown; line: string }>([
    {
      what: "a status that is not a column",
      schema: types.Feature,
      value: { ...feature, status: "nonsense" },
      line: 'status: expected one of "backlog", "in_progress", "code_review", "waiting_approval", "verified", "completed", or text matching ^pipeline_',
    },
    {
      what: "a pipeline status without a step",
      schema: types.Feature,
      value: { ...feature, status: "pipeline_" },
      line: "status: expected one of",
    },
    {
      what: "an id that leaves its folder",
      schema: types.Feature,
      value: { ...feature, id: "../../victim" },
      line: "id: ",
    },
    {
      what: "a finding's severity of another seed",
      schema: types.Feature,
      value: {
        ...feature,
        codeReviewSpec: {
          ...spec,
          iterations: [
            { ...iteration, findings: [{ category: "code", severity: "high", title: "", description: "" }] },
          ],
        },
      },
      line: 'codeReviewSpec.iterations[0].findings[0].severity: expected one of "info", "warning", "error"',
    },
    {
      what: "a time that is no time",
      schema: types.CodeReviewSpec,
      value: { ...spec, iterations: [{ ...iteration, reviewedAt: "yesterday" }] },
      line: "iterations[0].reviewedAt: Invalid ISO datetime",
    },
    {
      what: "a severity threshold that does not exist",
      schema: types.ProjectSettings,
      value: { reviewLoop: { severityThreshold: "extreme" } },
      line: 'reviewLoop.severityThreshold: expected one of "critical", "high", "medium", "low", "suggestion"',
    },
    {
      what: "no iterations at all",
      schema: types.GlobalSettings,
      value: { reviewLoop: { maxIterations: 0 } },
      line: "reviewLoop.maxIterations: Too small: expected number to be >=1",
    },
    {
      what: "an unknown channel",
      schema: types.ProjectSettings,
      value: { reviewLoop: { notificationChannels: ["github", "pager"] } },
      line: 'reviewLoop.notificationChannels[1]: expected one of "github", "slack", "email"',
    },
    {
      what: "a setting of the wrong kind",
      schema: types.ProjectSettings,
      value: { maxConcurrency: "3" },
      line: "maxConcurrency: expected number, received string",
    },
    {
      what: "settings of another version",
      schema: types.GlobalSettings,
      value: { version: 9 },
      line: "version: expected 4",
    },
    { what: "settings that are no object", schema: types.GlobalSettings, value: [], line: "(top level): " },
    {
      what: "an unknown review provider",
      schema: types.ChooConfig,
      value: { code_review: { provider: "gpt" } },
      line: 'code_review.provider: expected one of "codex", "claude"',
    },
    {
      what: "fewer than no fixes",
      schema: types.ChooConfig,
      value: { code_review: { max_fix_iterations: -1 } },
      line: "code_review.max_fix_iterations: Too small",
    },
    {
      what: "a ticket status that does not exist",
      schema: types.EpicState,
      value: { epic_id: "e", baseline_commit: "b", epic_branch: "e", status: "s", tickets: { t: { status: "done" } } },
      line: 'tickets.t.status: expected one of "pending", "queued", "executing", "validating", "reviewing", "needs_revision", "completed", "failed", "blocked"',
    },
    { what: "an epic without a name", schema: types.Epic, value: { tickets: [] }, line: "name: an epic needs a name" },
    {
      what: "a story id that YAML took for a number",
      schema: types.StoryFrontMatter,
      value: { id: 3.1 },
      line: "id: a story id is text",
    },
    {
      what: "a story id that leaves its folder",
      schema: types.StoryFrontMatter,
      value: { id: "../1" },
      line: "id: a story id consists of",
    },
    {
      what: "an unknown key in a strict policy",
      schema: types.ProjectSettings.pick({ policies: true }),
      value: { policies: [{ name: "mine", color: "red" }] },
      line: "policies[0]: unknown key color",
    },
  ])("$what is refused with its path and what is allowed", ({ schema, value, line }) => {
    expect(problems(schema, value)).toEqual(expect.arrayContaining([expect.stringContaining(line)]));
  });

  test("a report whose approved and status disagree is refused, and one whose overall score is no number", () => {
    expect(types.ReviewReport.shape.approved.safeParse(true).success).toBe(true);
    const approved = {
      status: "fail",
      approved: true,
      ticket_id: "t",
      reviewed_at: "2026-03-02T08:05:00Z",
      reviewer: "r",
    };
    const scores = Object.fromEntries(types.ReviewDimension.options.map((d) => [d, { score: 1, weight: "moderate" }]));
    const criteria = {
      all_critical_dimensions_pass: true,
      no_blocking_issues: true,
      overall_score_above_threshold: true,
    };
    const value = {
      ...approved,
      overall_score: 1,
      revision_count: 0,
      dimension_scores: scores,
      findings: [],
      blocking_issues: [],
      revision_notes: null,
      pass_criteria_met: criteria,
    };
    expect(problems(types.ReviewReport, value)).toEqual(["approved: approved has to agree with status"]);
    expect(problems(types.ReviewReport, { ...value, approved: false })).toEqual([]);
    for (const overall_score of [-1, 101, 88.5, "88"]) {
      const lines = problems(types.ReviewReport, { ...value, approved: false, overall_score });
      expect(lines).toEqual([expect.stringMatching(/^overall_score: /)]);
    }
  });

  test.for([101, -1, "90", Number.NaN, null])("%j is no score", (score) => {
    expect(problems(types.DimensionScore, { score, weight: "critical" })).toEqual([expect.stringMatching(/^score: /)]);
  });

  test("every problem has a line of its own", () => {
    expect(
      problems(types.ProjectSettings, { version: 2, maxConcurrency: 0, reviewLoop: { enabled: "yes" } }),
    ).toHaveLength(3);
  });
});

describe("defaults", () => {
  test("the review loop has the defaults of seed 001", () => {
    expect(types.DEFAULT_REVIEW_LOOP_CONFIG).toEqual({
      enabled: true,
      maxIterations: 3,
      selfReviewBeforePR: true,
      autoAddressReviewComments: true,
      severityThreshold: "medium",
      notifyOnReady: true,
      notificationChannels: ["github"],
    });
    expect(problems(types.ReviewLoopConfig, types.DEFAULT_REVIEW_LOOP_CONFIG)).toEqual([]);
  });

  test("an empty code_review section has the defaults of seed 004", () => {
    expect(types.CodeReviewConfig.parse({})).toEqual(types.DEFAULT_CODE_REVIEW_CONFIG);
    expect(types.DEFAULT_CODE_REVIEW_CONFIG).toEqual({
      enabled: true,
      provider: "codex",
      max_fix_iterations: 1,
      command: "",
    });
  });

  test("max_fix_iterations may be 0: review without fixing", () => {
    expect(problems(types.CodeReviewConfig, { max_fix_iterations: 0 })).toEqual([]);
  });
});

describe("statuses and ids", () => {
  test.for([
    "backlog",
    "in_progress",
    "code_review",
    "waiting_approval",
    "verified",
    "completed",
    "pipeline_step_docs",
  ])("a feature can be %s", (status) => {
    expect(problems(types.Feature, { ...feature, status })).toEqual([]);
  });

  test("a feature from before code reviews stays valid", () => {
    expect(types.Feature.parse(feature)).toEqual(feature);
  });

  test.for(["2.1-D4", "3-1a", "3.1.6"])("%s is a story id", (id) => {
    expect(types.StoryId.safeParse(id).success).toBe(true);
  });

  test.for(["", "a/b", "..", "1..2", ".git", "a b", "1\n", "x".repeat(129)])(
    "%j is neither a feature nor a story nor a unit",
    (id) => {
      for (const schema of [types.FeatureId, types.StoryId, types.UnitName])
        expect(schema.safeParse(id).success).toBe(false);
    },
  );
});
