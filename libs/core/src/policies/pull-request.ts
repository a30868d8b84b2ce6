import type { Policy, Severity } from "@anneal/types";

/** Seed 001: self-review before the pull request, then its feedback is reviewed and fixed the same way. */
export const pullRequest = {
  name: "pull-request",
  title: "Pull request: no issue at or above the threshold",
  workItem: "feature",
  limits: { reviews: 3, fixes: 2, repairs: 2, retries: 3, retryBackoffMs: 5_000, feedback: 5 },
  reviewer: { contract: "verdict-json", sees: ["work-item", "whole-diff", "earlier-findings"], timeoutMs: 900_000 },
  pass: { blocksAt: "medium", claim: "required", requirements: "not-needed", earlierFindings: "carried" },
  fixer: { gets: ["issues-by-severity"] },
  exits: {
    passed: { to: "opening-pr" },
    roundsRunOut: { to: "opening-pr" },
    broke: { to: "waiting-for-human", options: ["retry", "skip"] },
    validationFailed: { to: "waiting-for-human", options: ["retry", "resume"] },
    capped: { to: "waiting-for-human", options: ["resume", "skip"] },
  },
  afterPr: "await-feedback",
  push: "with-pr",
  skip: "draft-pr",
  caps: {},
} satisfies Policy;

/** The policy under a project's ReviewLoopConfig: `maxIterations` reviews, blocking at `severityThreshold`. */
export function pullRequestWith(config: { maxIterations: number; severityThreshold: Severity }): Policy {
  const limits = { ...pullRequest.limits, reviews: config.maxIterations, fixes: config.maxIterations - 1 };
  return { ...pullRequest, limits, pass: { ...pullRequest.pass, blocksAt: config.severityThreshold } };
}
