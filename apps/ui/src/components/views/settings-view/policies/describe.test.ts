import { POLICIES } from "@anneal/core";
import { expect, test } from "vitest";
import { FACETS } from "./describe.ts";

const say = (policy: keyof typeof POLICIES, facet: string) =>
  FACETS.find(({ name }) => name === facet)?.about(POLICIES[policy]);

test.for([
  {
    policy: "gate",
    facet: "Passes when",
    says: "the reviewer approves; no finding of high or worse; requirements judged",
  },
  { policy: "gate", facet: "Rounds run out", says: "asks a person: resume" },
  { policy: "pull-request", facet: "Review can be skipped", says: "yes: opens a draft marked NOT REVIEWED" },
  { policy: "scored", facet: "Rounds run out", says: "ends as failed" },
  { policy: "adversarial", facet: "Reviews at most", says: "3, or 5 if a person allows more" },
  { policy: "adversarial", facet: "Work", says: "stories" },
  { policy: "advisory", facet: "A review fails", says: "no retry, then merges" },
  { policy: "advisory", facet: "Pushes", says: "never" },
] as const)("$policy, $facet: $says", ({ policy, facet, says }) => {
  expect(say(policy, facet)).toBe(says);
});

test("a scorecard names every threshold", () => {
  expect(say("scored", "Passes when")).toMatch(/requirement adherence ≥ 90.*test quality ≥ 70; overall ≥ 75/);
});
