import { EventMap } from "@anneal/types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { bad, clean, finding, Play, report } from "../testing/build.ts";
import type { SeedEvent } from "../write/seed-events.ts";
import { reviewLoopEvents } from "./events.ts";
import { readFeedback } from "./feedback.ts";
import { comment, forgeFeedback } from "./testing/feedback.ts";
import { walks } from "./testing/walk.ts";

const loop = () => new Play(POLICIES["pull-request"]);
const open = () => loop().build().review(clean).pr();

function sentBy(play: Play): SeedEvent[] {
  const again = new Play(play.policy);
  return play.log.slice(1).flatMap((event) => {
    const before = again.state;
    again.feed(event);
    return reviewLoopEvents("f1", before, event, again.state);
  });
}
const names = (play: Play) =>
  sentBy(play)
    .map(({ type }) => type.replace("review-loop:", ""))
    .filter((name) => name !== "state-changed")
    .join(" ");

describe("seed 001, from the log", () => {
  test.for([
    { story: "passed at once", play: () => loop().build().review(clean).pr(), names: "review-completed" },
    {
      story: "failed, refined, passed",
      play: () => loop().build().review(bad("high")).mend().review(clean),
      names: "review-completed refinement-completed review-completed",
    },
    {
      story: "a refinement that changes nothing",
      play: () => loop().build().review(bad("high")).fix(false),
      names: "review-completed refinement-completed",
    },
    {
      story: "ready for a person",
      play: () => open().feedback(),
      names: "review-completed ready-for-human",
    },
    {
      story: "feedback, addressed",
      play: () => {
        const play = open();
        const { analysis: _, ...feedback } = readFeedback(forgeFeedback({ comments: [comment()] }));
        play.feed({ type: "feedback-received", at: 5_000, ...feedback });
        return play.mend().review(clean).pr();
      },
      names: "review-completed pr-feedback-received refinement-completed review-completed ready-for-human",
    },
    {
      story: "the review breaks for good",
      play: () => loop().build().breaks().breaks().breaks().breaks(),
      names: "error",
    },
    { story: "an unreviewed draft is not ready", play: () => loop().build().signal("skip").pr(true), names: "" },
    { story: "paused and resumed", play: () => open().signal("pause").signal("resume"), names: "review-completed" },
  ])("$story", ({ play, names: expected }) => {
    expect(names(play())).toBe(expected);
  });

  test("a review tells its result, and a refinement what came of each issue", () => {
    const kept = finding({ snippet: "kept();", line: 5 });
    const gone = finding({ snippet: "gone();", line: 9 });
    const made = finding({
      snippet: "made();",
      line: 30,
      title: "New trouble",
      description: "Discounts go below zero",
    });
    const play = loop()
      .build()
      .review(report({ claim: "fail", findings: [kept, gone] }))
      .fix()
      .validate();
    play.feed({ type: "committed", at: 9_000, head: "c9", regions: [{ file: "src/cart.ts", ranges: [[28, 32]] }] });
    const regions = [{ file: "src/cart.ts", ranges: [[1, 40]] as [number, number][] }];
    play.review(report({ claim: "fail", findings: [kept, made] }), { regions });
    const [first, refined, second] = sentBy(play).filter(({ type }) => type !== "review-loop:state-changed");
    const ids = first?.type === "review-loop:review-completed" ? first.payload.result.issues.map(({ id }) => id) : [];
    expect(refined).toMatchObject({
      type: "review-loop:refinement-completed",
      payload: {
        featureId: "f1",
        result: {
          addressedIssueIds: [ids[1]],
          unaddressedIssueIds: [ids[0]],
          newIssuesIntroduced: [{ description: expect.stringContaining("New trouble"), lineStart: 30 }],
          notes: "1 of 2 issues are gone. New since the refinement: 1.",
        },
      },
    });
    expect(second).toMatchObject({ payload: { result: { iteration: 2, verdict: "needs_work" } } });
  });

  test("a refinement after feedback tells what was asked for there, and whether it was addressed", () => {
    const { analysis: _, ...feedback } = readFeedback(forgeFeedback({ comments: [comment()] }));
    const asked = () => open().feed({ type: "feedback-received", at: 5_000, ...feedback });
    const [rule] = feedback.report.findings.map((finding) => finding.rule);
    expect(rule).toMatch(/^pr-comment:/);
    const refined = (play: Play) =>
      sentBy(play).flatMap((one) => (one.type === "review-loop:refinement-completed" ? [one.payload.result] : []));
    const addressed = { addressedIssueIds: [rule], unaddressedIssueIds: [], notes: "1 of 1 issues are gone." };
    const left = { addressedIssueIds: [], unaddressedIssueIds: [rule] };
    expect(refined(asked().mend())).toEqual([]);
    expect(refined(asked().mend().review(clean))).toMatchObject([addressed]);
    expect(refined(asked().fix(false))).toMatchObject([{ ...left, notes: "Nothing was changed." }]);
    const second = refined(asked().mend().review(bad("high")).mend().review(clean));
    expect(second).toMatchObject([
      { ...left, notes: "0 of 1 issues are gone." },
      { addressedIssueIds: [rule, expect.any(String)], unaddressedIssueIds: [], notes: "2 of 2 issues are gone." },
    ]);
    // What was answered is not reported again with what comes later.
    const later = asked()
      .mend()
      .review(clean)
      .pr()
      .feedback({ report: bad("high", 3) })
      .mend()
      .review(clean);
    expect(refined(later)).toMatchObject([addressed, { addressedIssueIds: [], unaddressedIssueIds: [] }]);
  });

  test("what was answered as not settled is not reported again either", () => {
    const words = (id: number) => {
      const { analysis: _, ...feedback } = readFeedback(forgeFeedback({ comments: [comment({ id })] }));
      return { type: "feedback-received", at: 5_000, ...feedback } as const;
    };
    const play = open().feed(words(1)).mend();
    for (const n of [1, 2, 3]) play.review(bad("high", n)).mend();
    expect(play.pr().where).toBe("waiting: ready-for-human");
    const count = sentBy(play).length;
    const { head = "" } = play.state;
    const later = play
      .feed({ ...words(2), head: head ?? "" })
      .mend()
      .review(clean);
    const [refined] = sentBy(later)
      .slice(count)
      .filter(({ type }) => type === "review-loop:refinement-completed");
    expect(JSON.stringify(refined)).toContain("pr-comment:2:");
    expect(JSON.stringify(refined)).not.toContain("pr-comment:1:");
  });

  test("a pull request that is closed is reported with its state, and nothing after it", () => {
    const before = sentBy(open().feedback()).length;
    const events = sentBy(open().feedback().feedback({ state: "closed" }).feedback());
    expect(events.slice(before)).toMatchObject([
      {
        type: "review-loop:state-changed",
        payload: {
          previousState: "ready_for_human_review",
          newState: "closed",
          session: { state: "closed", prNumber: 7, completedAt: expect.any(String) },
        },
      },
    ]);
  });

  test("feedback is reported once it is about this head, with what to do about it", () => {
    const { analysis, ...feedback } = readFeedback(forgeFeedback({ comments: [comment()] }));
    const event = { type: "feedback-received", at: 9_000, ...feedback } as const;
    const events = sentBy(open().feed(event));
    expect(events).toContainEqual({
      type: "review-loop:pr-feedback-received",
      payload: { featureId: "f1", feedback: analysis },
    });
    expect(names(open().feed({ ...event, head: "elsewhere" }))).toBe("review-completed");
    expect(names(open().feedback({ checks: "pending" }))).toBe("review-completed");
  });

  test("ready for a person names the pull request and sums up", () => {
    expect(sentBy(open().feedback()).at(-1)).toEqual({
      type: "review-loop:ready-for-human",
      payload: {
        featureId: "f1",
        prUrl: "https://forge/pr/7",
        summary: "no open feedback, checks pass; 1 iteration, no open issues",
      },
    });
  });

  test("an error says what happened, where, and what a person can do", () => {
    const events = sentBy(loop().build().breaks("model overloaded").breaks("x").breaks("x").breaks("model overloaded"));
    expect(events.at(-1)).toEqual({
      type: "review-loop:error",
      payload: {
        featureId: "f1",
        error: expect.stringMatching(/^model overloaded; possible: .*retry/),
        stage: "self_reviewing",
      },
    });
  });

  test("whatever happens, every payload is valid and every round is reported once", () => {
    fc.assert(
      fc.property(walks, ({ play, steps }) => {
        const events = steps.flatMap(({ before, event, after }) => reviewLoopEvents("f1", before, event, after));
        for (const { type, payload } of events) {
          expect([type, EventMap.shape[type].safeParse(payload).success]).toEqual([type, true]);
        }
        const rounds = events.flatMap((one) =>
          one.type === "review-loop:review-completed" ? [one.payload.result.iteration] : [],
        );
        expect(rounds).toEqual(play.state.rounds.map(({ number }) => number));
      }),
      { numRuns: 1_000 },
    );
  });
});
