import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import * as types from "./index.ts";

const load = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8"));

const report = load("review-report.json") as types.ReviewReport;
const before = load("epic-state-before-reviews.json") as types.EpicState;
const reviewed = {
  ...before,
  tickets: {
    "rate-limiter": {
      ...before.tickets["rate-limiter"],
      status: "needs_revision",
      revision_count: 1,
      review_started_at: "2026-03-02T08:04:00Z",
      review_completed_at: "2026-03-02T08:05:00Z",
      review_approved: false,
      review_history: [
        {
          attempt: 0,
          reviewed_at: "2026-03-02T08:05:00Z",
          status: "fail",
          overall_score: 88,
          blocking_issues_count: 1,
          revision_notes: "Bring take_token back to two parameters.",
        },
      ],
      current_review_report: report,
    },
  },
};
const epic = {
  epic: "limits",
  rollback_on_failure: true,
  coordination_requirements: {
    function_profiles: { Bucket: { take_token: { arity: 2, intent: "Take one token", signature: "(key, now)" } } },
    directory_structure: { src: "limits/" },
  },
  tickets: [{ name: "rate-limiter", depends_on: [], critical: true, files_to_modify: ["src/limits/bucket.py"] }],
  owner: "kept",
};
const story = {
  id: "2.1-D4",
  title: "Limit calls",
  dependsOn: ["3-1a", "3.1.6"],
  acceptanceCriteria: ["Calls above the limit are refused"],
  tasks: [{ text: "Write the bucket", done: true }],
};
const unit = {
  plan: { unit: "limits", depends_on: ["config"], orch_status: "pending", orch_pr_number: 0, extra: "kept" },
  tasks: [{ task: 1, status: "complete", backpressure: "go test ./internal/limits", depends_on: [] }],
};

describe("the seeds' own examples", () => {
  test.for<{ name: string; schema: z.ZodType; value: unknown }>([
    { name: "feature.json of seed 000 §2.3", schema: types.Feature, value: load("feature.json") },
    { name: "pipeline.json", schema: types.Pipeline, value: load("pipeline.json") },
    { name: "worktree.json", schema: types.WorktreeInfo, value: load("worktree.json") },
    {
      name: "the review result of seed 000",
      schema: types.CodeReviewResult,
      value: { status: "approved", summary: "Good." },
    },
    { name: "the session of seed 001", schema: types.ReviewLoopSession, value: load("review-loop-session.json") },
    { name: "the pull request feedback of seed 001", schema: types.PRFeedback, value: load("pr-feedback.json") },
    {
      name: "the analysed feedback of seed 001",
      schema: types.AnalyzedFeedback,
      value: load("analyzed-feedback.json"),
    },
    {
      name: "the refinement result of seed 001",
      schema: types.RefinementResult,
      value: load("refinement-result.json"),
    },
    {
      name: "the TicketReviewContext of seed 002",
      schema: types.TicketReviewContext,
      value: load("ticket-review-context.json"),
    },
    { name: "the ReviewReport of seed 002", schema: types.ReviewReport, value: report },
    { name: "an epic-state.json from before reviews", schema: types.EpicState, value: before },
    { name: "the epic-state extension of seed 002", schema: types.EpicState, value: reviewed },
    { name: "an epic that says epic instead of name", schema: types.Epic, value: epic },
    { name: "a story of seed 003", schema: types.Story, value: story },
    { name: "the review JSON of seed 004", schema: types.AdvisoryReviewResult, value: load("advisory-review.json") },
    { name: "the .choo.yaml of seed 004", schema: types.ChooConfig, value: load("choo.json") },
    { name: "a unit of seed 004", schema: types.Unit, value: unit },
    { name: "the global settings", schema: types.GlobalSettings, value: load("global-settings.json") },
  ])("$name is read and written back equal, unknown keys included", ({ schema, value }) => {
    expect(JSON.parse(JSON.stringify(schema.parse(value)))).toEqual(value);
  });

  test.for<{ name: string; schema: z.ZodType; value: unknown }>([
    { name: "feature.json", schema: types.Feature, value: load("feature.json") },
    { name: "pipeline.json", schema: types.Pipeline, value: load("pipeline.json") },
    { name: "worktree.json", schema: types.WorktreeInfo, value: load("worktree.json") },
    { name: "epic-state.json", schema: types.EpicState, value: reviewed },
    { name: "the global settings", schema: types.GlobalSettings, value: load("global-settings.json") },
    {
      name: "the project settings",
      schema: types.ProjectSettings,
      value: { ...(load("global-settings.json") as object), version: 1 },
    },
    { name: ".choo.yaml", schema: types.ChooConfig, value: load("choo.json") },
  ])("an unknown key survives at every level of $name", ({ schema, value }) => {
    const strange = withStrangeKeys(value);
    expect(schema.parse(strange)).toEqual(strange);
  });
});

/** Tables whose keys are names, and caps, of which a misspelt one would be none. */
const CLOSED = ["tickets", "budgets"];

/** Adds a key that nobody knows to every object but those. */
function withStrangeKeys(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((entry) => withStrangeKeys(entry));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, entry]) => [name, withStrangeKeys(entry, name)] as const);
  return Object.fromEntries(CLOSED.includes(key) ? entries : [...entries, ["x-strange", { kept: true }]]);
}
