import type { Policy } from "@anneal/types";

/** Seed 002: six scored dimensions; one attempt and two revisions, then the ticket has failed. */
export const scored = {
  name: "scored",
  title: "Scored: six dimensions above their thresholds",
  workItem: "ticket",
  limits: { reviews: 3, fixes: 2, repairs: 2, retries: 3, retryBackoffMs: 5_000, feedback: 0 },
  reviewer: {
    contract: "scorecard-json",
    sees: ["work-item", "epic-coordination", "whole-diff", "validation-result", "previous-feedback"],
    model: "sonnet",
    timeoutMs: 120_000,
  },
  pass: {
    blocksAt: "high",
    claim: "required",
    scorecard: {
      dimensions: {
        requirement_adherence: { weight: 3, atLeast: 90 },
        coordination_compliance: { weight: 3, atLeast: 90 },
        code_quality: { weight: 2, atLeast: 70 },
        pattern_consistency: { weight: 2, atLeast: 70 },
        test_quality: { weight: 2, atLeast: 70 },
        security_performance: { weight: 1 },
      },
      overallAtLeast: 75,
    },
    requirements: "judged",
    mildRejection: "blocks",
    earlierFindings: "carried",
  },
  fixer: { gets: ["revision-context"] },
  exits: {
    passed: { to: "ended", outcome: "passed" },
    roundsRunOut: { to: "ended", outcome: "failed" },
    broke: { to: "waiting-for-human", options: ["retry"] },
    validationFailed: { to: "waiting-for-human", options: ["retry", "resume"] },
    capped: { to: "waiting-for-human", options: ["resume"] },
  },
  afterPr: "end",
  push: "never",
  skip: "refused",
  caps: {},
} satisfies Policy;
