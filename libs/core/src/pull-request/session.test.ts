import { ReviewLoopSession, ReviewLoopState, type ReviewLoopState as State } from "@anneal/types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { POLICIES, pullRequestWith } from "../policies/index.ts";
import { bad, clean, finding, Play, report } from "../testing/build.ts";
import { reviewLoopEvents } from "./events.ts";
import { sessionOf, sessionState } from "./session.ts";
import { type Step, walks } from "./testing/walk.ts";
import { DRAWN, OVERRIDES } from "./transitions.ts";

const loop = () => new Play(POLICIES["pull-request"]);
const reviewed = () => loop().build().review(clean);
const open = () => reviewed().pr();
const asked = { report: bad("high", 9) };

/** The states that a play is announced to go through, from its log alone. */
function course(play: Play): State[] {
  const states: State[] = [];
  const again = new Play(play.policy);
  for (const event of play.log.slice(1)) {
    const before = again.state;
    again.feed(event);
    for (const one of reviewLoopEvents("f1", before, event, again.state)) {
      if (one.type === "review-loop:state-changed") states.push(one.payload.newState);
    }
  }
  return states;
}

describe("the session of seed 001", () => {
  test.for([
    { when: "the work is not done yet", play: loop, state: undefined },
    { when: "the agent is done", play: () => loop().implement(), state: "pending_self_review" },
    {
      when: "its checks fail and are repaired",
      play: () => loop().implement().validate("failed"),
      state: "pending_self_review",
    },
    { when: "the reviewer is working", play: () => loop().build(), state: "self_reviewing" },
    { when: "the review has passed", play: reviewed, state: "self_review_passed" },
    { when: "the review has failed", play: () => loop().build().review(bad("high")), state: "refining" },
    { when: "a critical finding keeps it back", play: () => keptBack(), state: "self_review_failed" },
    { when: "the refinement is checked", play: () => loop().build().review(bad("high")).fix(), state: "refining" },
    {
      when: "the refinement is reviewed",
      play: () => loop().build().review(bad("high")).mend(),
      state: "self_reviewing",
    },
    { when: "the pull request is open", play: open, state: "awaiting_pr_feedback" },
    { when: "feedback came", play: () => open().feedback(asked), state: "addressing_feedback" },
    {
      when: "the answer to feedback is reviewed",
      play: () => open().feedback(asked).mend(),
      state: "addressing_feedback",
    },
    {
      when: "the answer to feedback has failed its review",
      play: () => open().feedback(asked).mend().review(bad("high")),
      state: "addressing_feedback",
    },
    {
      when: "feedback is addressed",
      play: () => open().feedback(asked).mend().review(clean).pr(),
      state: "ready_for_human_review",
    },
    { when: "there is no feedback and checks pass", play: () => open().feedback(), state: "ready_for_human_review" },
    { when: "a person marks it ready", play: () => open().signal("ready"), state: "ready_for_human_review" },
    { when: "more feedback came", play: () => open().feedback().feedback(asked), state: "addressing_feedback" },
    { when: "a person approves", play: () => open().feedback().signal("approve"), state: "approved" },
    { when: "it is merged", play: () => open().feedback().signal("approve").merged(), state: "merged" },
    { when: "somebody merged it on the forge", play: () => open().feedback({ state: "merged" }), state: "merged" },
    { when: "the review was skipped", play: () => loop().build().signal("skip"), state: "pending_self_review" },
    {
      when: "the unreviewed draft is open",
      play: () => loop().build().signal("skip").pr(true),
      state: "awaiting_pr_feedback",
    },
    {
      when: "the review broke for good",
      play: () => loop().build().breaks().breaks().breaks().breaks(),
      state: "self_reviewing",
    },
    {
      when: "the same head is reviewed again, and paused",
      play: () => refuted().signal("pause"),
      state: "self_reviewing",
    },
    { when: "it is paused", play: () => open().signal("pause"), state: "awaiting_pr_feedback" },
    { when: "it was stopped", play: () => open().signal("stop"), state: "awaiting_pr_feedback" },
    { when: "it was stopped, ready", play: () => open().feedback().signal("stop"), state: "ready_for_human_review" },
    {
      when: "it was stopped while feedback is addressed",
      play: () => open().feedback(asked).signal("stop"),
      state: "awaiting_pr_feedback",
    },
    { when: "feedback is left to people", play: () => leftToPeople(), state: "awaiting_pr_feedback" },
    {
      when: "a person has that feedback addressed",
      play: () => leftToPeople().signal("refine"),
      state: "addressing_feedback",
    },
    {
      when: "what is on the forge has strayed",
      play: () =>
        open().feed({ type: "delivery-held", at: 9_000, reason: "delivery-refused", detail: "gone", anew: true }),
      state: "awaiting_pr_feedback",
    },
    { when: "it was closed", play: () => open().feedback({ state: "closed" }), state: "closed" },
  ])("is $state when $when", ({ play, state }) => {
    expect(sessionOf("f1", play().state)?.state).toBe(state);
  });

  function leftToPeople() {
    const policy = pullRequestWith({ maxIterations: 3, severityThreshold: "medium" });
    return new Play({ ...policy, limits: { ...policy.limits, feedback: 0 } })
      .build()
      .review(clean)
      .pr()
      .feedback(asked);
  }

  function refuted() {
    const play = loop().build().review(bad("high"));
    return play.fix(
      false,
      play.state.findings.map(({ fingerprint }) => ({ fingerprint, evidence: "it is right" })),
    );
  }

  function keptBack() {
    const play = new Play(pullRequestWith({ maxIterations: 1, severityThreshold: "medium" }));
    return play.build().review(bad("critical"));
  }

  test("is marked where somebody merged what nobody has reviewed", () => {
    const merged = (head: string) => sessionOf("f1", open().feedback({ state: "merged", head }).state);
    expect(merged("c1")).not.toHaveProperty("notReviewed");
    expect(ReviewLoopSession.parse(merged("theirs"))).toMatchObject({ state: "merged", notReviewed: true });
  });

  test("holds the iterations, the pull request and the times, and is valid", () => {
    const play = loop().build().review(bad("high")).mend().review(clean).pr().feedback().signal("approve").merged();
    const session = sessionOf("f1", play.state);
    expect(ReviewLoopSession.parse(session)).toEqual(session);
    expect(session).toMatchObject({
      featureId: "f1",
      state: "merged",
      currentIteration: 2,
      prNumber: 7,
      prUrl: "https://forge/pr/7",
      startedAt: "1970-01-01T00:00:00Z",
      iterations: [
        { verdict: "needs_work", iteration: 1, summary: "Not yet.", issues: [{ severity: "high", lineStart: 1 }] },
        { verdict: "pass", iteration: 2, issues: [] },
      ],
    });
    expect(session?.completedAt).toBe(session?.lastUpdatedAt);
  });

  test("counts the running iteration, and has neither pull request nor end before there are any", () => {
    const session = sessionOf("f1", loop().build().state);
    expect(session).toMatchObject({ currentIteration: 1, iterations: [] });
    for (const key of ["prNumber", "prUrl", "completedAt"]) expect(session).not.toHaveProperty(key);
  });

  test("an issue keeps its id over the iterations, and equal ones stay two", () => {
    const same = finding({ snippet: "a();", line: 3 });
    const twice = report({ claim: "fail", findings: [same, { ...same, line: 8 }, finding({ snippet: "b();" })] });
    const moved = { ...twice, findings: twice.findings.map((one) => ({ ...one, line: (one.line ?? 0) + 40 })) };
    const session = sessionOf("f1", loop().build().review(twice).mend().review(moved).state);
    const [first, second] = (session?.iterations ?? []).map(({ issues }) => issues.map(({ id }) => id));
    expect(second).toEqual(first);
    expect(new Set(first).size).toBe(3);
  });

  test("an issue that a review passes over and that still blocks keeps its id", () => {
    const kept = finding({ snippet: "a();", line: 3 });
    const play = loop()
      .build()
      .review(report({ claim: "fail", findings: [kept] }));
    const [fingerprint = ""] = play.state.findings.map((entry) => entry.fingerprint);
    play.mend().review(bad("high", 30), { standing: [fingerprint] });
    const ids = sessionOf("f1", play.state)
      ?.iterations.at(-1)
      ?.issues.map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(ids).toContain(fingerprint);
  });

  test.for([
    { found: "a critical issue", answer: bad("critical"), verdict: "critical_issues" },
    { found: "a high issue", answer: bad("high"), verdict: "needs_work" },
    { found: "a medium issue", answer: bad("medium"), verdict: "needs_work" },
    { found: "a low issue", answer: report({ findings: [finding({ severity: "low" })] }), verdict: "pass" },
    { found: "a suggestion", answer: report({ findings: [finding({ severity: "info" })] }), verdict: "pass" },
    { found: "nothing", answer: clean, verdict: "pass" },
    { found: "a bare rejection", answer: report({ claim: "fail", demand: "Not like this." }), verdict: "needs_work" },
  ])("the verdict on $found is $verdict", ({ answer, verdict }) => {
    expect(sessionOf("f1", loop().build().review(answer).state)?.iterations.at(-1)?.verdict).toBe(verdict);
  });

  test("a bare rejection has an issue made from its reason", () => {
    const play = loop()
      .build()
      .review(report({ claim: "fail", demand: "Not like this." }));
    expect(sessionOf("f1", play.state)?.iterations.at(-1)?.issues).toHaveLength(1);
  });
});

describe("the course of a session", () => {
  test.for([
    {
      story: "failed twice, passed, feedback, approved, merged",
      play: () =>
        loop()
          .build()
          .review(bad("high", 1))
          .mend()
          .review(bad("high", 2))
          .mend()
          .review(clean)
          .pr()
          .feedback(asked)
          .mend()
          .review(clean)
          .pr()
          .feedback({ state: "approved" })
          .merged(),
      states:
        "self_reviewing self_review_failed refining self_reviewing self_review_failed refining self_reviewing self_review_passed pr_created awaiting_pr_feedback addressing_feedback ready_for_human_review approved merged",
    },
    {
      story: "rounds run out",
      play: () =>
        loop().build().review(bad("high", 1)).mend().review(bad("high", 2)).mend().review(bad("high", 3)).pr(),
      states:
        "self_reviewing self_review_failed refining self_reviewing self_review_failed refining self_reviewing self_review_failed refining pr_created awaiting_pr_feedback",
    },
    {
      story: "skipped, approved by a person",
      play: () => loop().build().signal("skip").pr(true).signal("approve").merged(),
      states:
        "self_reviewing pending_self_review pr_created awaiting_pr_feedback ready_for_human_review approved merged",
    },
    {
      story: "feedback reopens what was ready",
      play: () => reviewed().pr().feedback().feedback(asked).mend().review(clean).pr(),
      states:
        "self_reviewing self_review_passed pr_created awaiting_pr_feedback ready_for_human_review addressing_feedback ready_for_human_review",
    },
    {
      story: "closed while it waits",
      play: () => open().feedback({ state: "closed" }),
      states: "self_reviewing self_review_passed pr_created awaiting_pr_feedback closed",
    },
    {
      story: "closed when it was ready",
      play: () => open().feedback().feedback({ state: "closed" }),
      states: "self_reviewing self_review_passed pr_created awaiting_pr_feedback ready_for_human_review closed",
    },
    {
      story: "refined by a person before any feedback",
      play: () => open().signal("refine", "shorter names").mend().review(clean).pr(),
      states:
        "self_reviewing self_review_passed pr_created awaiting_pr_feedback addressing_feedback awaiting_pr_feedback",
    },
  ])("$story", ({ play, states }) => {
    expect(course(play()).join(" ")).toBe(states);
  });

  test("every state of the drawing has its arrows, and every state is in the drawing", () => {
    expect(Object.keys(DRAWN).toSorted()).toEqual([...ReviewLoopState.options].toSorted());
    const reached = new Set(Object.values(DRAWN).flat());
    expect(ReviewLoopState.options.filter((state) => !reached.has(state))).toEqual(["pending_self_review", "closed"]);
  });

  const arrow = (from: State, to: State) => DRAWN[from].includes(to) || (OVERRIDES[from]?.includes(to) ?? false);

  /** Whether a state that was announced is what really happened in this step. */
  function isTrue(state: State, { before, event, after }: Step): boolean {
    const round = after.rounds.length > before.rounds.length ? after.rounds.at(-1) : undefined;
    switch (state) {
      case "self_review_passed":
        return round?.verdict.result === "pass" || after.verdict?.verdict.result === "pass";
      case "self_review_failed":
        return round?.verdict.result === "fail" || after.verdict?.verdict.result === "fail";
      case "pr_created":
        return event.type === "pr-opened";
      case "addressing_feedback":
        // Somebody works on it, or was cut off in it and waits to go on.
        return ["implementing", "validating", "committing", "reviewing", "fixing", "opening-pr"].includes(
          after.stage === "waiting-for-human" ? after.backTo : after.stage,
        );
      case "approved":
        return event.type === "feedback-received" || (event.type === "signalled" && event.signal !== "refine");
      case "merged":
      case "closed":
        return after.stage === "ended" && after.outcome === state;
      default:
        return true;
    }
  }

  /** Follows a history and checks every announcement; gives the arrows that were used. */
  function follow(steps: readonly Step[]): string[] {
    const used: string[] = [];
    let at: State = steps[0]?.before.stage === "reviewing" ? "self_reviewing" : "pending_self_review";
    for (const step of steps) {
      for (const one of reviewLoopEvents("f1", step.before, step.event, step.after)) {
        if (one.type !== "review-loop:state-changed") continue;
        const { previousState: from, newState: to, session } = one.payload;
        expect(from).toBe(at);
        expect([from, to, arrow(from, to)]).toEqual([from, to, true]);
        expect([from, to, step.event.type, isTrue(to, step)]).toEqual([from, to, step.event.type, true]);
        expect(session.state).toBe(to);
        used.push(`${from} ${to}`);
        at = to;
      }
      const now = sessionState(step.after);
      if (now !== null && step.after.stage !== "ended") expect(now).toBe(at);
    }
    return used;
  }

  test("whatever happens to a loop, its session moves along the seed's arrows, and says only what is true", () => {
    fc.assert(
      fc.property(walks, ({ play, steps }) => {
        follow(steps);
        const session = sessionOf("f1", play.state);
        if (session !== null) expect(ReviewLoopSession.safeParse(session).success).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  test("every arrow is used by some history, so none is allowed for nothing", () => {
    const used = new Set(fc.sample(walks, { seed: 1, numRuns: 4_000 }).flatMap(({ steps }) => follow(steps)));
    const arrows = [DRAWN, OVERRIDES].flatMap((table) =>
      Object.entries(table).flatMap(([from, tos]) => tos.map((to) => `${from} ${to}`)),
    );
    expect([...used].toSorted()).toEqual(arrows.toSorted());
  });
});
