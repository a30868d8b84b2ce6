import type { Policy, Severity } from "@anneal/types";

/** Seed 001: self-review before the pull request, then its feedback is reviewed and fixed the same way. */
export const pullRequest = {
  name: "pull-request",
  title: "Pull request: no issue at or above the threshold",
  workItem: "feature",
  limits: { reviews: 3, fixes: 2, repairs: 2, retries: 3, retryBackoffMs: 5_000, feedback: 5 },
  reviewer: { contract: "verdict-json", sees: ["work-item", "whole-diff", "earlier-findings"], timeoutMs: 900_000 },
  pass: {
    blocksAt: "medium",
    claim: "required",
    requirements: "not-needed",
    mildRejection: "passes",
    earlierFindings: "carried",
  },
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

/** The part of a project's ReviewLoopConfig that decides how its loops run. */
export interface PullRequestTerms {
  /** Reviews per cycle. */
  maxIterations: number;
  /** Findings of this severity or worse block. */
  severityThreshold: Severity;
  selfReviewBeforePR?: boolean;
  autoAddressReviewComments?: boolean;
}

/**
 * The policy under a project's ReviewLoopConfig. Without a self-review the pull request is a draft, NOT REVIEWED, which only
 * a person moves on; without addressing comments every request on it goes to a person.
 */
export function pullRequestWith(config: PullRequestTerms): Policy {
  const { maxIterations, severityThreshold, selfReviewBeforePR = true, autoAddressReviewComments = true } = config;
  const reviews = selfReviewBeforePR ? maxIterations : 0;
  const limits = {
    ...pullRequest.limits,
    reviews,
    fixes: Math.max(0, reviews - 1),
    ...(autoAddressReviewComments ? {} : { feedback: 0 }),
  };
  return { ...pullRequest, limits, pass: { ...pullRequest.pass, blocksAt: severityThreshold } };
}
