import type { Policy } from "@anneal/types";

/** Seed 003: a fresh reviewer every round, who never sees earlier rounds; three, then a person decides, five at most. */
export const adversarial = {
  name: "adversarial",
  title: "Adversarial: no critical and no important finding",
  workItem: "story",
  limits: { reviews: 3, fixes: 2, hardReviews: 5, repairs: 2, retries: 3, retryBackoffMs: 5_000, feedback: 0 },
  reviewer: { contract: "findings-document", sees: ["work-item", "whole-diff"], timeoutMs: 900_000 },
  pass: {
    blocksAt: "medium",
    claim: "optional",
    requirements: "not-needed",
    mildRejection: "blocks",
    earlierFindings: "fresh",
  },
  fixer: { gets: ["findings-document"] },
  exits: {
    passed: { to: "opening-pr" },
    roundsRunOut: { to: "waiting-for-human", options: ["take-over", "accept", "one-more"] },
    broke: { to: "waiting-for-human", options: ["retry", "take-over"] },
    validationFailed: { to: "waiting-for-human", options: ["retry", "take-over"] },
    capped: { to: "waiting-for-human", options: ["resume", "take-over", "accept"] },
  },
  afterPr: "end",
  push: "with-pr",
  skip: "refused",
  caps: {},
} satisfies Policy;
