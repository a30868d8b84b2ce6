import { POLICIES } from "@anneal/core";
import { describe, expect, test } from "vitest";
import { bad, clean, Play } from "../../../core/src/testing/build.ts";
import { progressOf, summaryOf } from "./summary.ts";

const exhausted = () =>
  new Play(POLICIES.gate).build().review(bad("high", 1)).mend().review(bad("high", 2)).mend().review(bad("high", 3));

test("what a person ruled on is not counted as fixed", () => {
  const play = new Play(POLICIES.gate).build().review(bad("high", 1)).mend().review(bad("high", 2));
  const [, second] = play.state.findings;
  const word = { id: "d", at: 1, fingerprint: second?.fingerprint ?? "", by: "ada", reason: "known" };
  play.feed({ type: "finding-disposed", ...word, disposition: "dismissed" });
  const about = { title: "t", branch: null, policy: POLICIES.gate };
  expect(summaryOf(about, play.state, { costUsd: 0, tokens: 0 }).resolved).toBe(1);
});

describe("how far a loop has come", () => {
  test.for([
    { what: "before anything happened", play: () => new Play(POLICIES.gate), round: 1, maxRounds: 3, blockers: 0 },
    {
      what: "while it fixes",
      play: () => new Play(POLICIES.gate).build().review(bad()),
      round: 2,
      maxRounds: 3,
      blockers: 1,
    },
    { what: "when the rounds are used", play: exhausted, round: 3, maxRounds: 3, blockers: 1 },
    {
      what: "in the cycle after a resume",
      play: () => exhausted().signal("resume"),
      round: 4,
      maxRounds: 6,
      blockers: 1,
    },
    {
      what: "when it passed",
      play: () => new Play(POLICIES.gate).build().review(clean),
      round: 1,
      maxRounds: 3,
      blockers: 0,
    },
    {
      what: "in a step of the pipeline",
      play: () => new Play(POLICIES.gate, { steps: ["docs"] }).build().review(clean),
      round: 1,
      maxRounds: 3,
      blockers: 0,
    },
  ])("$what: round $round of $maxRounds, $blockers blocking", ({ play, round, maxRounds, blockers }) => {
    const { policy, state } = play();
    expect(progressOf(policy, state)).toEqual({ round, maxRounds, blockers });
  });

  test("extra rounds that a person grants count up to the hard cap of the policy", () => {
    const play = new Play(POLICIES.adversarial).build().review(bad("high", 1)).mend().review(bad("high", 2)).mend();
    play.review(bad("high", 3)).signal("one-more");
    expect(progressOf(play.policy, play.state).maxRounds).toBe(4);
    play.mend().review(bad("high", 4)).signal("one-more").mend().review(bad("high", 5));
    expect(progressOf(play.policy, play.state).maxRounds).toBe(5);
  });

  test("a finding that a person has ruled on blocks no more", () => {
    const play = exhausted();
    const open = play.state.findings.find(({ disposition }) => disposition.kind === "open")!;
    const { fingerprint } = open;
    play.feed({
      type: "finding-disposed",
      at: 1,
      id: "d",
      fingerprint,
      disposition: "dismissed",
      by: "ada",
      reason: "Wrong.",
    });
    expect(progressOf(play.policy, play.state).blockers).toBe(0);
  });
});

test("a summary names the column, the wait and what a person may say", () => {
  const { policy, state } = exhausted();
  const summary = summaryOf({ title: "T", branch: "b", policy }, state, { costUsd: 1, tokens: 2 });
  expect(summary).toMatchObject({
    title: "T",
    branch: "b",
    status: "in_progress",
    reason: "rounds-exhausted",
    outcome: null,
    legal: ["resume", "stop"],
    costUsd: 1,
    tokens: 2,
  });
});
