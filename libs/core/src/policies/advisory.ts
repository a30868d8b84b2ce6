import type { Policy } from "@anneal/types";

/** Seed 004: one review whose issues are fixed once; the merge goes ahead whatever comes of it. */
export const advisory = {
  name: "advisory",
  title: "Advisory: no issues, and the merge never waits",
  workItem: "unit",
  limits: { reviews: 1, fixes: 1, repairs: 2, retries: 0, retryBackoffMs: 0, feedback: 0 },
  reviewer: { contract: "issue-lines", sees: ["whole-diff"], timeoutMs: 300_000 },
  pass: {
    blocksAt: "info",
    claim: "optional",
    requirements: "not-needed",
    mildRejection: "blocks",
    earlierFindings: "fresh",
  },
  fixer: { gets: ["issues"] },
  exits: {
    passed: { to: "merging" },
    roundsRunOut: { to: "merging" },
    broke: { to: "merging" },
    validationFailed: { to: "merging" },
    capped: { to: "merging" },
  },
  afterPr: "end",
  push: "never",
  skip: "refused",
  caps: {},
} satisfies Policy;
