import type { ApiLoopState } from "@anneal/types";
import { expect, test } from "vitest";
import { nothingBlocks } from "./nothing-blocks.ts";

const verdict = (result: string, current = true) => ({ result, reason: "2 tests are missing", current });

test.for([
  { what: "passed", over: { verdict: verdict("pass") }, says: /^Nothing holds this change back\.$/ },
  { what: "failed", over: { verdict: verdict("fail") }, says: /did not pass: 2 tests are missing/ },
  { what: "passed, and changed since", over: { verdict: verdict("pass", false) }, says: /not been reviewed since it/ },
  { what: "being built", over: { stage: "implementing", head: null }, says: /^Nothing has been reviewed yet\.$/ },
  {
    what: "under its first review",
    over: { stage: "reviewing" },
    says: /^Nothing has been reviewed yet: .* under way/,
  },
  {
    what: "under a later review",
    over: { stage: "reviewing", round: 2, verdict: verdict("fail", false) },
    says: /not been reviewed since it was changed: round 2 is under way/,
  },
  { what: "left without a review", over: { standing: "skipped" }, says: /^Nothing has been reviewed: .* left out/ },
  {
    what: "stuck",
    over: { stage: "waiting-for-human", reason: "review-broke" },
    says: /reviewed yet: the review broke/,
  },
  {
    what: "empty",
    over: { stage: "waiting-for-human", reason: "no-change", head: null },
    says: /no change: .*nothing to review/,
  },
  { what: "stopped before there was a commit", over: { stage: "ended", head: null }, says: /no change/ },
  { what: "without reviews on its way", over: { rail: [] }, says: /^No review is on the way of this\.$/ },
])("a change that is $what and has no findings says so", ({ over: { standing = "ahead", ...over }, says }) => {
  const rail = [{ stage: "reviewing", standing }];
  const loop = { stage: "awaiting-feedback", reason: null, head: "c1", round: 1, verdict: null, rail, ...over };
  expect(nothingBlocks(loop as unknown as ApiLoopState)).toMatch(says);
});
