import type { LoopEvent, LoopState } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { POLICIES, pullRequestWith } from "../policies/index.ts";
import { bad, clean, finding, Play, report } from "../testing/build.ts";
import { ignoredFeedback, isUnreviewed, listens, mayBeHeld } from "./delivery.ts";
import { earned } from "./exits.ts";

type Of<T extends LoopEvent["type"]> = Extract<LoopEvent, { type: T }>;

const play = () => new Play(POLICIES["pull-request"]);
const opening = () => play().build().review(clean);
const awaiting = () => opening().pr();
const ready = () => awaiting().feedback();
const REQUEST = report({ findings: [finding({ title: "Please rename it" })] });
const draft = () => play().build().review(bad("high")).signal("skip").pr(true);
const addressed = () => awaiting().feedback({ report: REQUEST }).mend().review(clean).pr();
const exhausted = () =>
  new Play(pullRequestWith({ maxIterations: 3, severityThreshold: "medium", autoAddressReviewComments: false }))
    .build()
    .review(clean)
    .pr()
    .feedback({ report: bad("high") });
const merging = () => ready().signal("approve");
const held = (reason: Of<"delivery-held">["reason"]): Of<"delivery-held"> => ({
  type: "delivery-held",
  at: 50,
  reason,
  detail: "because",
});

describe("a delivery that is held", () => {
  test.for([
    { while: "opening-pr", from: opening, back: "opening-pr" },
    { while: "awaiting-feedback", from: awaiting, back: "awaiting-feedback" },
    { while: "merging", from: merging, back: "merging" },
    { while: "ready for people", from: ready, back: "awaiting-feedback" },
    { while: "ready again after feedback", from: addressed, back: "awaiting-feedback" },
    { while: "a draft", from: draft, back: "awaiting-feedback" },
  ])("waits for a person while $while, and a retry goes back to $back", ({ from, back }) => {
    const waits = from().feed(held("delivery-refused"));
    expect(waits.state).toMatchObject({
      stage: "waiting-for-human",
      reason: "delivery-refused",
      detail: "because",
      options: ["retry", "refine", "take-over", "stop"],
    });
    expect(waits.signal("retry").where).toBe(back);
  });

  test.for([
    { while: "awaiting-feedback", from: awaiting },
    { while: "merging", from: merging },
    { while: "ready for people", from: ready },
    { while: "ready again after feedback", from: addressed },
    { while: "a draft", from: draft },
    { while: "opening-pr", from: () => awaiting().signal("refine", "Shorter.").mend().review(clean) },
  ])("because it is not there as it was left is delivered anew after a retry: $while", ({ from }) => {
    const before = from();
    const isDraft = before.state.pr?.draft;
    const waits = before.feed({ ...held("delivery-refused"), anew: true });
    expect(waits.state).toMatchObject({
      reason: "delivery-refused",
      options: ["retry", "refine", "take-over", "stop"],
    });
    const again = waits.signal("retry");
    expect(again.state).toMatchObject({ stage: "opening-pr", draft: isDraft, anew: true });
    expect(again.signal("pause").signal("resume").state).toMatchObject({ stage: "opening-pr", anew: true });
  });

  test("for want of consent can be tried again or taken over; nothing is to be refined", () => {
    const waits = opening().feed(held("push-consent"));
    expect(waits.state).toMatchObject({ options: ["retry", "take-over", "stop"] });
  });

  test.for([
    { where: "reviewing", from: () => play().build() },
    { where: "fixing", from: () => play().build().review(bad("high")) },
    { where: "waiting: feedback-exhausted", from: exhausted },
  ])("means nothing while $where", ({ where, from }) => {
    expect(from().feed(held("never-publish")).where).toBe(where);
  });
});

describe("a push that is held for what its commits bring", () => {
  const secret = (fingerprint: string) => ({
    fingerprint,
    heldIn: "c1",
    finding: finding({ rule: "secret", severity: "critical", title: `A token, ${fingerprint}`, file: "src/a.ts" }),
  });
  const holding = (...names: string[]): LoopEvent => ({
    ...{ type: "delivery-held", at: 50, reason: "never-publish", detail: "because" },
    secrets: names.map(secret),
  });
  const rule = (on: Play, fingerprint: string, disposition: Of<"finding-disposed">["disposition"]) =>
    on.feed({
      type: "finding-disposed",
      at: 60,
      id: `${fingerprint}${disposition}`,
      fingerprint,
      disposition,
      by: "ada",
      reason: "No.",
    });
  const inLedger = ({ state }: Play) => state.findings.map((one) => `${one.fingerprint} ${one.disposition.kind}`);

  test("waits with a finding for each, and offers nothing that would lead to the same", () => {
    const waits = opening().feed(holding("f1", "f2"));
    expect(waits.state).toMatchObject({ reason: "never-publish", options: ["refine", "take-over", "stop"] });
    expect(inLedger(waits)).toEqual(["f1 open", "f2 open"]);
  });

  test("remembers which findings of reviewers it is about", () => {
    const named: LoopEvent = {
      type: "delivery-held",
      at: 50,
      reason: "never-publish",
      detail: "because",
      about: ["r1"],
    };
    expect(opening().feed(named).state).toMatchObject({
      kept: { draft: false, about: ["r1"] },
      options: ["refine", "take-over", "stop"],
    });
  });

  test("goes on once the last of them is ruled on, and says until then which is left", () => {
    const waits = rule(opening().feed(holding("f1", "f2")), "f1", "dismissed");
    expect(waits.state).toMatchObject({
      reason: "never-publish",
      detail: "not pushed, because it would publish a secret: A token, f2, finding f2",
    });
    expect(rule(waits, "f2", "accepted-risk").where).toBe("opening-pr");
  });

  test("keeps no place with a ruling: the finding's own name is that of its place", () => {
    const { state } = rule(opening().feed(holding("f1", "f2")), "f1", "dismissed");
    expect(state.findings[0]?.disposition).toEqual({ kind: "dismissed", by: "ada", reason: "No." });
  });

  test("opens what a review took for fixed once more, and makes none twice", () => {
    const fixed = opening().feed(holding("f1")).signal("refine", "Take it out.").mend().review(clean);
    expect(inLedger(fixed)).toEqual(["f1 fixed"]);
    expect(inLedger(fixed.feed(holding("f1", "f2")))).toEqual(["f1 open", "f2 open"]);
  });

  test("is no finding of a review: one that speaks of the same file in the same words is another", () => {
    const { finding: same } = secret("f1");
    const { snippet: _, ...worded } = same;
    const refined = opening().feed({
      ...(holding("f1") as Of<"delivery-held">),
      secrets: [{ ...secret("f1"), finding: worded }],
    });
    const reviewed = refined
      .signal("refine", "Take it out.")
      .mend()
      .review(report({ claim: "fail", findings: [worded] }));
    expect(reviewed.state.findings).toHaveLength(2);
  });
});

describe("what the forge says", () => {
  const feedbackOn = (state: LoopState, change: Partial<Of<"feedback-received">> = {}): Of<"feedback-received"> => ({
    type: "feedback-received",
    at: 60,
    head: state.head ?? "",
    report: report({}),
    state: "open",
    checks: "passing",
    ...change,
  });

  test.for([
    { what: "while feedback is awaited", from: awaiting, change: {}, says: null },
    { what: "while people are waited for", from: ready, change: {}, says: null },
    {
      what: "about another head",
      from: awaiting,
      change: { head: "other" },
      says: /^the feedback is about other, but the loop is at /,
    },
    {
      what: "while the loop is at work",
      from: () => opening().pr().feedback({ report: REQUEST }),
      change: {},
      says: "the loop takes no message while fixing",
    },
    { what: "before the merge is made", from: merging, change: {}, says: null },
    { what: "before there is a pull request", from: opening, change: {}, says: "the loop has no pull request" },
    { what: "that it is merged, at any time", from: merging, change: { state: "merged" }, says: null },
    {
      what: "that it is closed, whatever its head",
      from: ready,
      change: { state: "closed", head: "other" },
      says: null,
    },
    {
      what: "that it is merged at a head of somebody else's",
      from: ready,
      change: { state: "merged", head: "other" },
      says: null,
    },
    {
      what: "that it is merged at an earlier head of its own",
      from: addressed,
      change: { state: "merged", head: "c1" },
      says: "c1 was merged, and the loop has moved on to c2",
    },
    { what: "after the end", from: () => ready().signal("stop"), change: {}, says: "the loop has ended" },
  ] as const)("$what", ({ from, change, says }) => {
    const { state } = from();
    const why = ignoredFeedback(state, feedbackOn(state, change));
    if (typeof says === "object" && says !== null) expect(why).toMatch(says);
    else expect(why).toBe(says);
  });

  test("is listened to while feedback is awaited and while it is ready for people", () => {
    expect([awaiting(), ready(), merging(), opening()].map(({ state }) => listens(state))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe("a pull request that somebody merges", () => {
  test.for([
    { while: "feedback is awaited", from: awaiting },
    { while: "it is ready for people", from: ready },
    { while: "it is on its way to the merge", from: merging },
    { while: "it is paused", from: () => awaiting().signal("pause") },
    { while: "feedback is addressed", from: () => awaiting().feedback({ report: REQUEST }) },
  ])("at the loop's own head is merged, and at another one NOT REVIEWED: while $while", ({ from }) => {
    expect(from().feedback({ state: "merged" }).state).toMatchObject({
      outcome: "merged",
      detail: "merged on the forge",
      pr: { draft: false },
    });
    const { state } = from().feedback({ state: "merged", head: "theirs" });
    expect(state).toMatchObject({ stage: "ended", outcome: "merged", head: "c1", pr: { mergedHead: "theirs" } });
    expect(state).toMatchObject({ detail: "somebody merged theirs, NOT REVIEWED: this loop is at c1" });
    expect([isUnreviewed(state), earned(state)]).toEqual([true, false]);
  });
});

test("what somebody pushed and merged before its review had ended is merged NOT REVIEWED, though it is the loop's own", () => {
  const { state } = awaiting().signal("refine", "Shorter.").mend().signal("pause").feedback({ state: "merged" });
  expect(state).toMatchObject({ outcome: "merged", head: "c2", pr: { mergedHead: "c2" } });
  expect(state).toMatchObject({ detail: "somebody merged c2, NOT REVIEWED: this commit has no finished review" });
});

describe("a look at the forge that finds what was delivered gone", () => {
  const anew = { ...held("delivery-refused"), anew: true } as const;
  const refined = () => awaiting().signal("refine", "Shorter.").mend();
  test.for([
    { while: "it is paused", from: () => awaiting().signal("pause"), holds: true },
    { while: "it is held already", from: () => awaiting().feed(held("delivery-refused")), holds: true },
    { while: "its merge is held", from: () => merging().feed(held("delivery-refused")), holds: true },
    { while: "what comes next is not reviewed yet", from: () => refined().signal("pause"), holds: false },
    { while: "what comes next is reviewed", from: refined, holds: false },
  ])("holds it where nothing else is to be done first: while $while", ({ from, holds }) => {
    const before = from();
    expect(mayBeHeld(before.state, anew)).toBe(holds);
    const { state } = before.feed(anew);
    if (!holds) expect(state).toEqual(before.state);
    else expect(state).toMatchObject({ reason: "delivery-refused", backTo: "opening-pr", kept: { anew: true } });
  });

  test("takes a draft only while it is one", () => {
    const waits = draft().signal("refine", "Finish it.").mend().review(clean).feed(held("delivery-refused"));
    expect(waits.feed(anew).signal("retry").state).toMatchObject({ stage: "opening-pr", draft: false });
  });
});

describe("pull-request under a ReviewLoopConfig", () => {
  const config = { maxIterations: 3, severityThreshold: "medium" } as const;

  test("without a self-review goes out as a draft that nobody has reviewed, feedback or not", () => {
    const quick = new Play(pullRequestWith({ ...config, selfReviewBeforePR: false })).build();
    expect(quick.state).toMatchObject({ stage: "opening-pr", draft: true, rounds: [] });
  });

  test("that does not address comments asks a person about each of them", () => {
    const careful = new Play(pullRequestWith({ ...config, autoAddressReviewComments: false }))
      .build()
      .review(clean)
      .pr();
    expect(careful.feedback({ report: bad("high") }).state).toMatchObject({
      reason: "feedback-exhausted",
      detail: "under this policy people handle the feedback",
    });
  });
});

describe("what the forge says after an approval", () => {
  test.for([
    { what: "a request", over: { report: REQUEST }, where: "fixing" },
    { what: "a red check", over: { checks: "failing" }, where: "fixing" },
    { what: "a request while it is approved there", over: { report: REQUEST, state: "approved" }, where: "fixing" },
    { what: "nothing new", over: {}, where: "merging" },
    { what: "checks that run again", over: { checks: "pending" }, where: "merging" },
  ] as const)("$what → $where", ({ over, where }) => {
    expect(merging().feedback(over).where).toBe(where);
  });
});

describe("a draft that nobody has reviewed", () => {
  test.for([
    { what: "a look at the forge", after: () => draft().feedback() },
    { what: "an approval on the forge", after: () => draft().feedback({ state: "approved" }) },
  ])("stays marked after $what, and waits for a person's word", ({ after }) => {
    const { state } = after();
    expect(state).toMatchObject({ reason: "ready-for-human", detail: expect.stringMatching(/^a draft, NOT REVIEWED/) });
  });

  test("is merged as such, by whomever", () => {
    const detail = expect.stringMatching(/, NOT REVIEWED$/);
    expect(draft().signal("approve").merged().state).toMatchObject({ outcome: "merged", detail });
    expect(draft().feedback({ state: "merged" }).state).toMatchObject({ outcome: "merged", detail });
  });
});
