import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import * as types from "./index.ts";

const source = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
const sourceFiles = readdirSync(new URL(".", import.meta.url)).filter((f) => /^(?!.*\.test\.ts$).*\.ts$/.test(f));

interface Names {
  type: string;
  schema: z.ZodObject;
  required?: string;
  optional?: string;
  /** What the canonical types add; a reader of the seed can do without it. */
  ours?: string;
}

const fields: Names[] = [
  {
    type: "CodeReviewSpec of seed 000",
    schema: types.CodeReviewSpec,
    required: "status currentIteration maxIterations iterations",
  },
  {
    type: "CodeReviewIteration of seed 000",
    schema: types.CodeReviewIteration,
    required:
      "iterationNumber reviewedAt reviewedByModel reviewedByProvider status gitCommitHash gitDiff findings overallSummary reviewFile",
    optional: "rejectionReason",
    ours: "compliance actionRequired",
  },
  {
    type: "CodeReviewFinding of seed 000",
    schema: types.CodeReviewFinding,
    required: "category severity title description",
    optional: "suggestion file line",
    ours: "currentCode",
  },
  { type: "CodeReviewResult of seed 000", schema: types.CodeReviewResult, required: "status summary" },
  { type: "CustomPrompt of seed 000", schema: types.CustomPrompt, required: "enabled value" },
  {
    type: "CodeReviewPrompts of seed 000",
    schema: types.CodeReviewPrompts,
    optional: "reviewSystemPrompt reviewPromptTemplate",
  },
  { type: "PromptCustomization of seed 000", schema: types.PromptCustomization, optional: "codeReview" },
  {
    type: "ReviewIssue of seed 001",
    schema: types.ReviewIssue,
    required: "id severity category description",
    optional: "file lineStart lineEnd suggestedFix",
  },
  {
    type: "ReviewResult of seed 001",
    schema: types.ReviewResult,
    required: "verdict issues summary iteration timestamp",
  },
  {
    type: "ReviewLoopConfig of seed 001",
    schema: types.ReviewLoopConfig,
    required:
      "enabled maxIterations selfReviewBeforePR autoAddressReviewComments severityThreshold notifyOnReady notificationChannels",
  },
  {
    type: "ReviewLoopSession of seed 001",
    schema: types.ReviewLoopSession,
    required: "featureId state iterations currentIteration startedAt lastUpdatedAt",
    optional: "prNumber prUrl completedAt",
    ours: "notReviewed",
  },
  {
    type: "PRFeedback of seed 001",
    schema: types.PRFeedback,
    required: "prNumber comments reviews checksStatus mergeable requestedChanges",
  },
  {
    type: "PRComment of seed 001",
    schema: types.PRComment,
    required: "id author body createdAt isBot",
    optional: "file line",
  },
  {
    type: "PRReview of seed 001",
    schema: types.PRReview,
    required: "id author state comments submittedAt",
    optional: "body",
  },
  {
    type: "RefinementResult of seed 001",
    schema: types.RefinementResult,
    required: "addressedIssueIds unaddressedIssueIds newIssuesIntroduced notes",
  },
  {
    type: "AnalyzedFeedback of seed 001",
    schema: types.AnalyzedFeedback,
    required: "actionableIssues questionsToAnswer requiresHumanDecision overallStatus",
  },
  {
    type: "an actionable issue of seed 001",
    schema: types.AnalyzedFeedback.shape.actionableIssues.element,
    required: "source sourceId author severity description",
    optional: "file line suggestedAction",
  },
  {
    type: "a question of seed 001",
    schema: types.AnalyzedFeedback.shape.questionsToAnswer.element,
    required: "sourceId author question",
    optional: "suggestedResponse",
  },
  {
    type: "a human decision of seed 001",
    schema: types.AnalyzedFeedback.shape.requiresHumanDecision.element,
    required: "sourceId reason",
  },
  {
    type: "TicketReviewContext of seed 002",
    schema: types.TicketReviewContext,
    required:
      "ticket_id ticket_path epic_path ticket_branch base_commit final_commit files_modified test_suite_status acceptance_criteria revision_count previous_review_feedback",
  },
  {
    type: "an acceptance criterion of seed 002",
    schema: types.TicketReviewContext.shape.acceptance_criteria.element,
    required: "criterion met",
  },
  {
    type: "ReviewReport of seed 002",
    schema: types.ReviewReport,
    required:
      "ticket_id reviewed_at reviewer status overall_score revision_count dimension_scores findings blocking_issues revision_notes approved pass_criteria_met",
  },
  {
    type: "dimension_scores of seed 002",
    schema: types.DimensionScores,
    required:
      "requirement_adherence coordination_compliance code_quality pattern_consistency test_quality security_performance",
  },
  { type: "a dimension's score of seed 002", schema: types.DimensionScore, required: "score weight" },
  {
    type: "a finding of seed 002",
    schema: types.TicketFinding,
    required: "dimension severity message",
    optional: "file line suggestion",
  },
  {
    type: "a blocking issue of seed 002",
    schema: types.BlockingIssue,
    required: "dimension message required_action",
    ours: "file line",
  },
  {
    type: "pass_criteria_met of seed 002",
    schema: types.PassCriteriaMet,
    required: "all_critical_dimensions_pass no_blocking_issues overall_score_above_threshold",
  },
  {
    type: "RevisionContext of seed 002",
    schema: types.RevisionContext,
    required: "original_ticket review_report revision_instructions",
    optional: "review_history",
  },
  {
    type: "the epic-state ticket of seed 002",
    schema: types.TicketReviewState,
    optional:
      "revision_count review_started_at review_completed_at review_approved review_history current_review_report failure_reason",
  },
  {
    type: "a review history entry of seed 002",
    schema: types.ReviewHistoryEntry,
    required: "attempt reviewed_at status overall_score blocking_issues_count revision_notes",
  },
  {
    type: "the findings document of seed 003",
    schema: types.FindingsDocument,
    required: "storyId round reviewer date branch issues summary",
  },
  {
    type: "the sections of a findings document of seed 003",
    schema: types.FindingsDocument.shape.issues,
    required: "critical important minor",
  },
  {
    type: "an issue of a findings document of seed 003",
    schema: types.DocumentIssue,
    required: "number category title problem",
    optional: "file line impact fix",
  },
  {
    type: "the summary of a findings document of seed 003",
    schema: types.FindingsDocument.shape.summary,
    required: "total critical important minor recommendation",
  },
  {
    type: "ReviewResult of seed 004",
    schema: types.AdvisoryReviewResult,
    required: "passed issues summary",
    optional: "rawOutput",
  },
  {
    type: "ReviewIssue of seed 004",
    schema: types.AdvisoryReviewIssue,
    required: "file line severity message",
    optional: "suggestion",
  },
  {
    type: "CodeReviewConfig of seed 004",
    schema: types.CodeReviewConfig,
    optional: "enabled provider max_fix_iterations command",
  },
];

describe("the names of the seeds", () => {
  test.for(fields)("$type has its fields, and no other that has to be there", (names) => {
    const { schema, required, optional, ours } = names;
    const mayMiss = Object.entries(schema.shape).filter(
      ([, field]) => (field as z.ZodType).safeParse(undefined).success,
    );
    const optionalHere = mayMiss.map(([name]) => name);
    expect(Object.keys(schema.shape).filter((name) => !optionalHere.includes(name))).toEqual(words(required));
    expect(optionalHere.sort()).toEqual([...words(optional), ...words(ours)].sort());
  });

  test.for([
    {
      set: "review status of seed 000",
      schema: types.CodeReviewSpec.shape.status,
      holds: "pending reviewing approved rejected failed",
    },
    {
      set: "iteration status of seed 000",
      schema: types.CodeReviewIteration.shape.status,
      holds: "approved rejected failed",
    },
    {
      set: "category of seed 000",
      schema: types.CodeReviewCategory,
      holds: "compliance code test architecture performance",
    },
    { set: "severity of seed 000", schema: types.CodeReviewSeverity, holds: "info warning error" },
    {
      set: "board status of seed 000",
      schema: types.BoardStatus,
      holds: "backlog in_progress code_review waiting_approval verified completed",
    },
    { set: "verdict of seed 001", schema: types.ReviewVerdict, holds: "pass needs_work critical_issues" },
    { set: "severity of seed 001", schema: types.ReviewIssueSeverity, holds: "critical high medium low suggestion" },
    {
      set: "category of seed 001",
      schema: types.ReviewIssueCategory,
      holds: "security architecture logic style performance testing documentation",
    },
    { set: "notification channel of seed 001", schema: types.NotificationChannel, holds: "github slack email" },
    {
      set: "loop state of seed 001",
      // The seed has no word for a pull request that somebody closed (docs/decisions/0009).
      schema: types.ReviewLoopState.exclude(["closed"]),
      holds:
        "pending_self_review self_reviewing self_review_passed self_review_failed refining pr_created awaiting_pr_feedback addressing_feedback ready_for_human_review approved merged",
    },
    { set: "checks of seed 001", schema: types.PRFeedback.shape.checksStatus, holds: "pending passing failing" },
    {
      set: "pull request review of seed 001",
      schema: types.PRReview.shape.state,
      holds: "approved changes_requested commented pending",
    },
    {
      set: "feedback source of seed 001",
      schema: types.AnalyzedFeedback.shape.actionableIssues.element.shape.source,
      holds: "comment review check",
    },
    {
      set: "feedback severity of seed 001",
      schema: types.AnalyzedFeedback.shape.actionableIssues.element.shape.severity,
      holds: "critical high medium low",
    },
    {
      set: "overall feedback status of seed 001",
      schema: types.AnalyzedFeedback.shape.overallStatus,
      holds: "ready_to_fix needs_human_input blocked",
    },
    {
      set: "ticket status of seed 002",
      schema: types.TicketStatus,
      holds: "pending queued executing validating reviewing needs_revision completed failed blocked",
    },
    { set: "report status of seed 002", schema: types.ReviewReport.shape.status, holds: "pass fail" },
    { set: "weight of seed 002", schema: types.DimensionWeight, holds: "critical important moderate" },
    { set: "severity of seed 002", schema: types.TicketFinding.shape.severity, holds: "error warning info" },
    {
      set: "test suite status of seed 002",
      schema: types.TicketReviewContext.shape.test_suite_status,
      holds: "passing failing",
    },
    {
      set: "severity of seed 004",
      schema: types.AdvisoryReviewIssue.shape.severity,
      holds: "error warning suggestion",
    },
    { set: "review provider of seed 004", schema: types.ReviewProvider, holds: "codex claude" },
  ])("$set has exactly its words", ({ schema, holds }) => {
    expect(schema.options).toEqual(words(holds));
  });

  test("a feature may carry a codeReviewSpec and need not", () => {
    const feature = { id: "feature-1", description: "d" };
    const codeReviewSpec = { status: "pending", currentIteration: 1, maxIterations: 3, iterations: [] };
    expect(types.Feature.parse(feature)).toEqual(feature);
    expect(types.Feature.parse({ ...feature, codeReviewSpec })).toEqual({ ...feature, codeReviewSpec });
  });

  test.for(["current_review_report", "review_started_at", "review_completed_at", "review_approved"])(
    "%s of an epic-state ticket may be null",
    (name) => {
      expect(types.TicketReviewState.parse({ [name]: null })).toEqual({ [name]: null });
    },
  );
});

describe("the rooms of the seeds", () => {
  test.for([
    {
      file: "code-review.ts",
      holds: ["CodeReviewSpec", "CodeReviewIteration", "CodeReviewFinding", "CodeReviewResult"],
    },
    { file: "feature.ts", holds: ["Feature"] },
    { file: "prompts.ts", holds: ["CustomPrompt", "CodeReviewPrompts", "PromptCustomization"] },
    { file: "settings.ts", holds: ["GlobalSettings", "ProjectSettings"] },
    {
      file: "review-loop.ts",
      holds: ["ReviewVerdict", "ReviewIssue", "ReviewResult", "ReviewLoopConfig", "ReviewLoopState"].concat([
        "ReviewLoopSession",
        "PRFeedback",
        "PRComment",
        "PRReview",
      ]),
    },
  ])("$file defines $holds, and the package exports them", ({ file, holds }) => {
    for (const name of holds) {
      expect(source(file)).toContain(`\nexport const ${name} = `);
      expect(source(file)).toContain(`\nexport type ${name} = `);
      expect(types).toHaveProperty(name);
    }
  });

  test("every exported schema and constant has a doc comment", () => {
    for (const file of sourceFiles) {
      const bare = [...source(file).matchAll(/(?<!\*\/)\nexport (?:const|function|interface) (\w+)/g)];
      expect({ file, bare: bare.map(([, name]) => name) }).toEqual({ file, bare: [] });
    }
  });

  test("no file imports itself by way of others", () => {
    const imports = new Map(
      sourceFiles.map((f) => [f, [...source(f).matchAll(/from "\.\/([\w-]+\.ts)"/g)].map(([, name]) => name ?? "")]),
    );
    const reach = (from: string, seen = new Set<string>()): Set<string> => {
      for (const next of imports.get(from) ?? []) if (!seen.has(next)) reach(next, seen.add(next));
      return seen;
    };
    expect(imports.get("feature.ts")).toContain("code-review.ts");
    expect(sourceFiles.filter((file) => reach(file).has(file))).toEqual([]);
  });
});

function words(text = ""): string[] {
  return text === "" ? [] : text.split(" ");
}
