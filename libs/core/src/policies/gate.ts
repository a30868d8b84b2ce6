import type { Policy } from "@anneal/types";

/** Seed 000: a required review between in_progress and approval; three iterations, then a person. */
export const gate = {
  name: "gate",
  title: "Gate: approved and no error finding",
  workItem: "feature",
  // `reviews` and `fixes` go together, with one fix between two reviews: raised alone, the other still ends the loop.
  limits: { reviews: 3, fixes: 2, repairs: 2, retries: 3, retryBackoffMs: 5_000, feedback: 0 },
  reviewer: {
    contract: "decision-text",
    sees: ["work-item", "spec", "round-diff", "whole-diff", "earlier-findings", "project-context"],
    timeoutMs: 900_000,
  },
  pass: {
    blocksAt: "high",
    claim: "required",
    requirements: "judged",
    mildRejection: "blocks",
    earlierFindings: "carried",
  },
  fixer: { gets: ["all-reviews", "previous-agent-output", "open-findings"] },
  exits: {
    passed: { to: "ended", outcome: "passed" },
    roundsRunOut: { to: "waiting-for-human", options: ["resume"] },
    broke: { to: "waiting-for-human", options: ["retry"] },
    validationFailed: { to: "waiting-for-human", options: ["retry", "resume"] },
    capped: { to: "waiting-for-human", options: ["resume"] },
  },
  afterPr: "end",
  push: "never",
  skip: "refused",
  caps: {},
} satisfies Policy;
