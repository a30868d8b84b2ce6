import { describe, expect, test } from "vitest";
import { EventMap, EventName, type EventPayload } from "./events.ts";

const featureId = "feature-1";
const finding = { category: "code", severity: "error", title: "t", description: "d" } as const;
const issue = { file: "a.go", line: 1, severity: "warning", message: "m" } as const;
const at = "2026-03-02T08:05:00Z";
const result = { verdict: "pass", issues: [], summary: "s", iteration: 1, timestamp: at } as const;
const session = {
  featureId,
  state: "self_reviewing",
  iterations: [],
  currentIteration: 1,
  startedAt: at,
  lastUpdatedAt: at,
} as const;

const examples: { [N in EventName]: EventPayload<N> } = {
  "feature:code-review-started": { featureId, iterationNumber: 1 },
  "feature:code-review-progress": { featureId, iterationNumber: 1, message: "reading" },
  "feature:code-review-completed": {
    featureId,
    iterationNumber: 1,
    status: "rejected",
    findings: [finding],
    summary: "s",
  },
  "feature:code-review-approved": { featureId, nextStatus: "pipeline_step_docs" },
  "feature:code-review-rejected": { featureId, iterationNumber: 1, rejectionReason: "r" },
  "feature:code-review-failed": { featureId, error: "e" },
  "feature:code-review-max-iterations": { featureId },
  "review-loop:state-changed": {
    featureId,
    previousState: "pending_self_review",
    newState: "self_reviewing",
    session: { ...session, iterations: [] },
  },
  "review-loop:review-completed": { featureId, result: { ...result, issues: [] } },
  "review-loop:refinement-completed": {
    featureId,
    result: { addressedIssueIds: ["i"], unaddressedIssueIds: [], newIssuesIntroduced: [], notes: "" },
  },
  "review-loop:pr-feedback-received": {
    featureId,
    feedback: { actionableIssues: [], questionsToAnswer: [], requiresHumanDecision: [], overallStatus: "blocked" },
  },
  "review-loop:ready-for-human": { featureId, prUrl: "https://example.test/pull/1", summary: "s" },
  "review-loop:error": { featureId, error: "e", stage: "refining" },
  "codereview.started": null,
  "codereview.passed": { summary: "s" },
  "codereview.issues_found": { count: 1, issues: [issue] },
  "codereview.fix_applied": null,
  "codereview.failed": { error: "e" },
};

describe("the events of the seeds", () => {
  test("there are seven of seed 000, six of seed 001 and five of seed 004", () => {
    const from = (prefix: string) => EventName.options.filter((name) => name.startsWith(prefix)).length;
    expect([from("feature:code-review-"), from("review-loop:"), from("codereview.")]).toEqual([7, 6, 5]);
    expect(EventName.options).toHaveLength(18);
  });

  test.for(EventName.options)("%s carries its payload", (name) => {
    expect(EventMap.shape[name].parse(examples[name])).toEqual(examples[name]);
  });

  test.for(EventName.options.filter((name) => examples[name] !== null))("%s is refused without its payload", (name) => {
    expect(EventMap.shape[name].safeParse({}).success).toBe(false);
  });
});
