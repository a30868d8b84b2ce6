import type { LoopEvent, LoopState } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { bad, clean, finding, PERFECT_SCORES, Play, report } from "../testing/build.ts";
import {
  attemptsSince,
  capsOf,
  escalationOf,
  findingsOf,
  nextOf,
  pullRequestOf,
  railOf,
  roundDetail,
  roundLines,
  roundRecords,
  signalsFor,
} from "./index.ts";

/** The stages that a log came through. */
function stagesOf(play: Play): LoopState["stage"][] {
  const again = new Play(play.policy);
  return play.log.map((event) => (event.type === "loop-started" ? again.state.stage : again.feed(event).state.stage));
}

const rail = (kind: "feature" | "ticket" | "story" | "unit", play: Play) =>
  railOf({ kind, policy: play.policy, state: play.state, stages: stagesOf(play) });

describe("the rail", () => {
  test.for([
    {
      kind: "feature",
      policy: "gate",
      names: "in_progress in_progress in_progress code_review in_progress verified",
    },
    {
      kind: "feature",
      policy: "pull-request",
      names:
        "in_progress pending_self_review pending_self_review self_reviewing refining self_review_passed awaiting_pr_feedback approved merged",
    },
    { kind: "ticket", policy: "scored", names: "executing validating validating reviewing needs_revision completed" },
    {
      kind: "story",
      policy: "adversarial",
      names: "in-progress in-progress in-progress review in-progress review done",
    },
    {
      kind: "unit",
      policy: "advisory",
      names: "in_progress in_progress in_progress in_review in_progress merging complete",
    },
  ] as const)("of a new $kind under $policy has the words of its seed", ({ kind, policy, names }) => {
    const stops = rail(kind, new Play(POLICIES[policy]));
    expect(stops.map(({ name }) => name).join(" ")).toBe(names);
    expect(stops.map(({ standing }) => standing)).toEqual(["now", ...stops.slice(1).map(() => "ahead")]);
  });

  test("tells where a loop was, how often, and where it waits", () => {
    const play = new Play(POLICIES.gate).build().review(bad("high", 1)).mend().signal("pause");
    const standing = rail("feature", play).map((stop) => `${stop.stage} ${stop.standing} ${stop.visits}`);
    expect(standing).toEqual([
      "implementing done 1",
      "validating done 2",
      "committing done 2",
      "reviewing waiting 2",
      "fixing done 1",
      "ended ahead 0",
    ]);
  });

  test("tells that a pull request whose feedback is addressed waits for feedback, not to be opened", () => {
    const asked = new Play(POLICIES["pull-request"])
      .build()
      .review(clean)
      .pr()
      .feedback({ report: bad("high", 1) });
    const stops = rail("feature", asked.mend().review(clean).pr());
    expect(stops.slice(-4).map((stop) => `${stop.stage} ${stop.standing} ${stop.visits}`)).toEqual([
      "opening-pr done 2",
      "awaiting-feedback waiting 1",
      "merging ahead 0",
      "ended ahead 0",
    ]);
  });

  test("leaves out what a loop ended without", () => {
    const stops = rail("feature", new Play(POLICIES.gate).build().review(clean));
    expect(stops.map(({ stage, standing }) => `${stage} ${standing}`)).toEqual(
      expect.arrayContaining(["fixing skipped", "ended done"]),
    );
  });

  const refused = () => new Play(POLICIES["pull-request"]).build().review(bad("high", 1)).mend();
  test.for([
    { name: "a review that was skipped", play: () => new Play(POLICIES["pull-request"]).build().signal("skip") },
    {
      name: "a skip, once its draft is open",
      play: () => new Play(POLICIES["pull-request"]).build().signal("skip").pr(true),
    },
    {
      name: "a review that broke and was skipped",
      play: () => new Play(POLICIES["pull-request"]).build().breaks().breaks().breaks().breaks().signal("skip"),
    },
    { name: "a fix that nobody looked at again", play: () => refused().signal("skip") },
    { name: "a stop in the first review", play: () => new Play(POLICIES.gate).build().signal("stop") },
  ])("says that the review was left out after $name", ({ play }) => {
    expect(rail("feature", play()).find(({ stage }) => stage === "reviewing")).toMatchObject({ standing: "skipped" });
  });

  test.for([
    {
      name: "a verdict on the head",
      play: () => new Play(POLICIES["pull-request"]).build().review(clean),
      standing: "done",
    },
    {
      name: "a rejection that is being fixed",
      play: () => new Play(POLICIES.gate).build().review(bad()),
      standing: "done",
    },
  ])("says that the review is $standing after $name", ({ play, standing }) => {
    expect(rail("feature", play()).find(({ stage }) => stage === "reviewing")).toMatchObject({ standing });
  });
});

describe("what a person may say", () => {
  test("has a consequence in one sentence, and tells whether it can be undone", () => {
    const { policy, state } = new Play(POLICIES.gate).build();
    expect(signalsFor("feature", policy, state)).toEqual([
      expect.objectContaining({ signal: "retry", undoable: false }),
      expect.objectContaining({ signal: "pause", undoable: true, undoneBy: "resume" }),
      expect.objectContaining({ signal: "stop", consequence: expect.stringMatching(/backlog\.$/) }),
    ]);
  });

  test.for([
    { from: "a pause", play: () => new Play(POLICIES.gate).build().signal("pause"), undoable: true },
    { from: "a cap", play: () => new Play(POLICIES.gate).build().cap(), undoable: false },
  ])("resuming after $from can be undone: $undoable", ({ play, undoable }) => {
    const { policy, state } = play();
    const resume = signalsFor("feature", policy, state).find(({ signal }) => signal === "resume");
    expect(resume).toMatchObject({ undoable });
  });
});

describe("what comes next", () => {
  const agents = { reviewer: "claude+codex", fixer: "scripted:/path/f.json" };
  test.for([
    { play: new Play(POLICIES.gate).build(), who: "agent", says: /claude\+codex\) reviews, round 1 of 3\.$/ },
    { play: new Play(POLICIES.gate).build().breaks(), who: "agent", says: /retries the review, round 1 of 3\.$/ },
    {
      play: new Play(POLICIES.gate).build().review(bad()),
      who: "agent",
      says: /fixer \(scripted\) works on 1 problem\.$/,
    },
    { play: new Play(POLICIES.gate).implement(), who: "anneal", says: /run the project's checks/ },
    { play: new Play(POLICIES["pull-request"]).build().review(clean).pr(), who: "forge", says: /pull request/ },
    { play: new Play(POLICIES.gate).build().signal("pause"), who: "person", says: /the loop was paused\.$/ },
    { play: new Play(POLICIES.gate).build().review(clean), who: "nobody", says: /ended as passed\.$/ },
  ])("is the move of $who", ({ play, who, says }) => {
    expect(nextOf(play.policy, play.state, agents)).toMatchObject({ who, sentence: expect.stringMatching(says) });
  });

  test("limits are shown with what the cycle has used, and waiting costs no time", () => {
    const { policy, state } = new Play(POLICIES.adversarial).build().review(bad("high", 1)).mend().signal("pause");
    const caps = capsOf({ ...policy, caps: { wallMs: 60_000 } }, state, state.lastAt + 3_600_000);
    expect(caps).toMatchObject({
      reviews: { used: 1, limit: 3 },
      fixes: { used: 1, limit: 2 },
      hardReviews: { used: 1, limit: 5 },
      wallMs: { used: state.lastAt - state.cycle.startedAt, limit: 60_000 },
      tokens: { used: 0, limit: null },
    });
  });
});

describe("rounds", () => {
  const play = new Play(POLICIES.scored);
  play.implement().validate("failed").fix().validate().commit().breaks();
  const low = { ...PERFECT_SCORES, test_quality: 40 };
  play
    .review(report({ ...bad("critical", 1), scores: low }))
    .mend()
    .review(clean);
  const records = roundRecords(play.policy, play.log);
  const detail = (number: number) => roundDetail({ policy: play.policy, base: "base" }, records, number, () => "said");

  test("are shown with the commit that answered each", () => {
    expect(roundLines("base", records)).toEqual([
      expect.objectContaining({ number: 1, verdict: "fail", head: "c1", base: "base", fixCommit: "c2" }),
      expect.objectContaining({ number: 2, verdict: "pass", head: "c2", fixCommit: null }),
    ]);
  });

  test("have what made their head, with every check, and the reviews that broke before", () => {
    expect(detail(1)).toMatchObject({
      since: "base",
      attempts: [{ reason: expect.any(String) }],
      made: {
        commit: "c1",
        runs: [{ role: "implementer" }, { role: "fixer" }],
        validation: [{ result: "failed", findings: [{ rule: "tests" }] }, { result: "passed" }],
      },
      fix: { commit: "c2", runs: [{ role: "fixer", changed: true }] },
    });
    expect(detail(2)).toMatchObject({ since: "c1", attempts: [], fix: null });
    expect(detail(3)).toBeNull();
  });

  test("that broke are shown with their reasons and costs: before the round that followed, or without one", () => {
    const [first, second] = roundLines("base", records);
    expect(first?.attempts).toMatchObject([{ reason: "connection refused", usage: {}, transcript: null }]);
    expect(second?.attempts).toEqual([]);
    expect(attemptsSince(records)).toEqual([]);
    const broken = new Play(POLICIES.gate)
      .build()
      .breaks("no answer")
      .review({ status: "inconclusive", reason: "it said nothing" });
    expect(attemptsSince(roundRecords(broken.policy, broken.log)).map(({ reason }) => reason)).toEqual([
      "no answer",
      "it said nothing",
    ]);
  });

  test("that are scored have six dimensions with their thresholds, and which of them fail", () => {
    const card = detail(1)?.scorecard;
    expect(card?.dimensions).toHaveLength(6);
    expect(card?.dimensions.filter(({ passes }) => !passes)).toEqual([
      { name: "test_quality", score: 40, weight: expect.any(Number), atLeast: 70, passes: false },
    ]);
    expect(card).toMatchObject({ passes: false, overallAtLeast: 75 });
    expect(detail(2)?.scorecard?.passes).toBe(true);
  });
});

const findingsIn = (play: Play) =>
  findingsOf({
    policy: play.policy,
    state: play.state,
    events: play.log,
    rounds: roundRecords(play.policy, play.log).rounds,
  });

describe("findings", () => {
  test("have their way over the rounds, and the lines of the fix that are nearest", () => {
    const play = new Play(POLICIES.gate).build().review(bad("high", 7));
    play.fix().validate();
    const regions = [
      {
        file: "src/cart.ts",
        ranges: [
          [90, 95],
          [5, 6],
        ] as [number, number][],
      },
    ];
    play.feed({ type: "committed", at: 99_000, head: "c9", regions });
    play.review(clean, { head: "c9" });
    expect(findingsIn(play)).toMatchObject([
      {
        lifecycle: "resolved",
        disposition: { kind: "fixed", commit: "c9" },
        foundAt: play.log.find(({ type }) => type === "reviewed")?.at,
        rounds: [
          { round: 1, lifecycle: "new", disposition: "open", reported: true },
          { round: 2, lifecycle: "resolved", disposition: "fixed", reported: false },
        ],
        fix: { commit: "c9", round: 1, hunk: { file: "src/cart.ts", start: 5, end: 6 } },
        actions: [],
      },
    ]);
  });

  test("come with what people said, and what can still be said; what blocks comes first", () => {
    const play = new Play(POLICIES.adversarial).build();
    const minor = finding({ severity: "low", snippet: "later();", line: 3 });
    play.review(report({ claim: "fail", findings: [minor, ...bad("high", 1).findings] }));
    const blocking = play.state.findings.find(({ finding: one }) => one.severity === "high")?.fingerprint ?? "";
    expect(findingsIn(play).map((one) => [one.finding.severity, one.blocks])).toEqual([
      ["high", true],
      ["low", false],
    ]);
    const word = { at: 50_000, id: "w1", fingerprint: blocking, by: "ada", reason: "known" };
    play.feed({ type: "finding-disposed", disposition: "deferred", ...word });
    const ruled = findingsIn(play).find(({ fingerprint }) => fingerprint === blocking);
    expect(ruled).toMatchObject({
      blocks: false,
      rulings: [{ by: "ada", disposition: "deferred", reason: "known" }],
      actions: ["dismiss", "accept-risk", "reopen"],
    });
  });

  test("that a person insists on stay open, and the next fixer gets the reason, once", () => {
    const play = new Play(POLICIES.gate).build().review(bad("high", 1));
    const fingerprint = play.state.findings[0]?.fingerprint ?? "";
    const word = { at: 50_000, fingerprint, disposition: "open", by: "ada", reason: "use a guard" } as const;
    play.feed({ type: "finding-disposed", id: "w1", ...word }).feed({ type: "finding-disposed", id: "w1", ...word });
    play.feed({ type: "finding-disposed", id: "w2", ...word, fingerprint: "unknown" });
    expect(play.state).toMatchObject({ stage: "fixing", notes: [`About finding ${fingerprint}: use a guard`] });
    expect(play.fix().state.notes).toEqual([]);
  });
});

describe("an escalation", () => {
  const out = (policy: "adversarial" | "gate") => {
    const play = new Play(POLICIES[policy]).build();
    return play.review(bad("high", 1)).mend().review(bad("high", 1)).mend().review(bad("high", 1));
  };

  test("has the counts, what is open, and the three choices of seed 003", () => {
    const play = out("adversarial");
    const packet = escalationOf({ kind: "story", id: "2.1" }, play.policy, play.state, findingsIn(play));
    expect(packet).toMatchObject({
      reason: "rounds-exhausted",
      round: 3,
      counts: { critical: 0, important: 1, minor: 0 },
      open: [{ blocks: true }],
      choices: [
        { key: "a", signal: "take-over", possible: true, whyNot: null },
        { key: "b", signal: "accept", possible: true },
        { key: "c", signal: "one-more", possible: true },
      ],
      others: [{ signal: "stop" }],
      document: expect.stringContaining("2.1"),
    });
  });

  test("says why a choice is not offered where the policy has others", () => {
    const play = out("gate");
    const packet = escalationOf({ kind: "feature", id: "f" }, play.policy, play.state, findingsIn(play));
    expect(packet?.choices.map(({ possible, whyNot }) => [possible, typeof whyNot])).toEqual([
      [false, "string"],
      [false, "string"],
      [false, "string"],
    ]);
    expect(packet?.others.map(({ signal }) => signal)).toEqual(["resume", "stop"]);
    expect(packet?.document).toBeNull();
  });

  test("is not offered while a loop works, and where it waits for something else", () => {
    for (const play of [new Play(POLICIES.gate).build(), new Play(POLICIES.gate).build().signal("pause")])
      expect(escalationOf({ kind: "feature", id: "f" }, play.policy, play.state, [])).toBeNull();
  });
});

describe("a pull request", () => {
  const play = () => new Play(POLICIES["pull-request"]).build().review(clean).pr();
  const seen = ({ policy, state, log }: Play) => pullRequestOf(policy, state, log);
  const asked = finding({
    rule: "pr-line:7:0a1b2c3d",
    severity: "high",
    description: "Rename it",
    impact: "bob asks for this on the pull request.",
  });
  const feedback: LoopEvent = {
    type: "feedback-received",
    at: 90_000,
    head: "c1",
    report: report({
      claim: "fail",
      findings: [asked, finding({ rule: "pr-check:3:0a1b2c3d", title: "build is red" })],
      notes: [
        "question pr-comment:9:0a1b2c3d by eve: Why so?",
        "decision pr-review:4:0a1b2c3d by bob: Shall we?",
        "blocked: the branch conflicts with its base",
      ],
    }),
    state: "open",
    checks: "failing",
  };

  test("is absent before it is opened, and has no feedback at first", () => {
    expect(seen(new Play(POLICIES.gate).build())).toBeNull();
    expect(seen(play())).toMatchObject({ number: 7, state: null, checks: null, requests: [] });
  });

  test("has checks, reviews, requests, questions, and what needs a person", () => {
    expect(seen(play().feed(feedback))).toMatchObject({
      state: "open",
      current: true,
      reviews: "changes-requested",
      checks: { state: "failing", failing: ["build is red"] },
      requests: [{ source: "comment", author: "bob", text: "Rename it", reply: null }, { source: "check" }],
      questions: [{ author: "eve", question: "Why so?", reply: null }],
      needsPerson: ["bob: Shall we?", "the branch conflicts with its base"],
    });
  });

  test("tells what somebody merged that nobody has reviewed", () => {
    const merged = (head: string) => seen(play().feedback({ state: "merged", head }));
    expect(merged("c1")).toMatchObject({ state: "merged", current: true, mergedHead: null });
    expect(merged("theirs")).toMatchObject({ state: "merged", current: false, mergedHead: "theirs" });
  });

  test("has the answer that will be given once something was done about a request", () => {
    const addressed = play().feed(feedback).mend().review(clean);
    expect(seen(addressed)?.requests[0]).toMatchObject({ reply: expect.stringContaining("Addressed in c2") });
  });
});
