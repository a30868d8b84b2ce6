import type { ApiLoopState, ApiPullRequest } from "@anneal/types";
import { expect, test } from "vitest";
import { nothingBlocks, openRequests } from "./nothing-blocks.ts";

const verdict = (result: string, current = true) => ({ result, reason: "2 tests are missing", current });

test.for([
  { what: "passed", over: { verdict: verdict("pass") }, says: /^Nothing blocks this change\.$/ },
  { what: "failed", over: { verdict: verdict("fail") }, says: /did not pass: 2 tests are missing/ },
  {
    what: "passed, and changed since",
    over: { verdict: verdict("pass", false) },
    says: /latest change has not been reviewed/,
  },
  { what: "being built", over: { stage: "implementing", head: null }, says: /^Nothing has been reviewed yet\.$/ },
  {
    what: "under its first review",
    over: { stage: "reviewing" },
    says: /^Nothing has been reviewed yet: .* under way/,
  },
  {
    what: "under a later review",
    over: { stage: "reviewing", round: 2, verdict: verdict("fail", false) },
    says: /latest change has not been reviewed: round 2 is under way/,
  },
  { what: "left without a review", over: { standing: "skipped" }, says: /^Nothing has been reviewed: .* skipped/ },
  {
    what: "stuck",
    over: { stage: "waiting-for-human", reason: "review-broke" },
    says: /reviewed yet: the review failed/,
  },
  {
    what: "empty",
    over: { stage: "waiting-for-human", reason: "no-change", head: null },
    says: /^Nothing was committed.*nothing to review/,
  },
  { what: "stopped before there was a commit", over: { stage: "ended", head: null }, says: /Nothing was committed/ },
  { what: "without reviews on its way", over: { rail: [] }, says: /^The policy of this item has no review\.$/ },
])("a change that is $what and has no findings says so", ({ over: { standing = "ahead", ...over }, says }) => {
  const rail = [{ stage: "reviewing", standing }];
  const loop = { stage: "merging", reason: null, head: "c1", round: 1, verdict: null, rail, ...over };
  expect(nothingBlocks(loop as unknown as ApiLoopState, null)).toEqual({
    sentence: expect.stringMatching(says),
    seePullRequest: false,
  });
});

const request = (source = "comment") => ({ source, sourceId: 1, file: "a.js", line: 1 });
const quiet = { current: true, checks: { state: "none", failing: [] }, reviews: "none", requests: [] };
const failing = { state: "failing", failing: ["The check build fails"] };
const waits = { who: "person", sentence: "A person decides: nobody has agreed to push." };

test.for([
  { what: "says nothing", pr: {}, says: "Nothing blocks this change." },
  {
    what: "asks for changes and has a failing check",
    stage: "fixing",
    pr: { checks: failing, reviews: "changes-requested", requests: [request(), request("review"), request("check")] },
    says: "The review passed; 2 requests of the pull request and 1 failing check are open.",
  },
  { what: "asks for one", pr: { requests: [request()] }, says: /^The review passed; 1 request of .* is open\.$/ },
  {
    what: "has a reviewer who objects without a word, and checks that run",
    pr: { reviews: "changes-requested", checks: { state: "pending", failing: [] } },
    says: /; a reviewer’s request for changes and unfinished checks are open\.$/,
  },
  { what: "was approved, and has failing checks", pr: { checks: failing }, says: /; 1 failing check is open\.$/ },
  { what: "is not known yet", pr: undefined, says: "The review passed." },
  {
    what: "has not been heard of",
    pr: { current: false },
    says: "The review passed; the pull request has no feedback yet.",
  },
  {
    what: "asked for what is done by now",
    stage: "waiting-for-human",
    pr: { current: false, reviews: "changes-requested", requests: [request()] },
    says: `The review passed. ${waits.sentence}`,
  },
  { what: "is not there, while a person asks for more", stage: "fixing", pr: null, says: /are in progress\.$/ },
  { what: "is not there, and a person is asked", stage: "waiting-for-human", pr: null, says: /agreed to push\.$/ },
  { what: "was merged", stage: "ended", pr: { requests: [request()] }, says: "Nothing blocks this change." },
])("a change that passed and whose pull request $what says so", ({ stage = "awaiting-feedback", pr, says }) => {
  const loop = { stage, reason: null, head: "c1", round: 1, verdict: verdict("pass"), rail: [], next: waits };
  const whole = pr && ({ ...quiet, ...pr } as unknown as ApiPullRequest);
  const { sentence, seePullRequest } = nothingBlocks(loop as unknown as ApiLoopState, whole);
  expect(sentence).toMatch(says);
  expect(seePullRequest).toBe(/open\.$|no feedback yet/.test(sentence));
});

test.for([
  { what: "of the head", stage: "fixing", pr: {}, open: 1 },
  { what: "of an earlier head", stage: "waiting-for-human", pr: { current: false }, open: 0 },
  { what: "of a loop that ended", stage: "ended", pr: {}, open: 0 },
] as const)("requests $what: $open open", ({ stage, pr, open }) => {
  const whole = { ...quiet, requests: [request()], ...pr } as unknown as ApiPullRequest;
  expect(openRequests({ stage }, whole)).toHaveLength(open);
});
