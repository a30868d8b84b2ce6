import type { LoopState, Policy, SignalName } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { bad, clean, Play, report } from "../testing/build.ts";
import { refusal } from "./signals.ts";

const SIGNALS: SignalName[] = [
  "skip",
  "retry",
  "refine",
  "ready",
  "approve",
  "accept",
  "take-over",
  "one-more",
  "pause",
  "resume",
  "stop",
];

/** One loop in each stage that the policy can reach, by the name of the stage or of the wait. */
function stages(policy: Policy): Record<string, LoopState> {
  const at = (play: Play) => [play.where, play.state] as const;
  const play = () => new Play(policy);
  const broken = () => play().build().breaks().breaks().breaks().breaks();
  const out = () => {
    const p = play().build();
    for (let n = 1; n < 9 && ["reviewing", "fixing"].includes(p.state.stage); n++) {
      if (p.state.stage === "reviewing")
        p.review(
          bad("high", n).findings.length
            ? report({
                ...bad("high", n),
                scores: {
                  requirement_adherence: 1,
                  coordination_compliance: 1,
                  code_quality: 1,
                  pattern_consistency: 1,
                  test_quality: 1,
                  security_performance: 1,
                },
              })
            : clean,
        );
      else p.mend();
    }
    return p;
  };
  return Object.fromEntries([
    at(play()),
    at(play().implement()),
    at(play().implement().validate()),
    at(play().build()),
    at(play().build().review(bad("critical"))),
    at(play().build().review(clean)),
    at(play().build().review(clean).pr()),
    at(play().build().review(clean).pr().feedback()),
    at(broken()),
    at(out()),
    at(play().build().signal("pause")),
    at(play().build().cap()),
  ]);
}

/** The whole table: for every policy and every stage, the signals that a person can give there. */
const TABLE: Record<keyof typeof POLICIES, Record<string, string>> = {
  gate: {
    implementing: "retry pause stop",
    validating: "retry pause stop",
    committing: "pause stop",
    reviewing: "retry pause stop",
    fixing: "retry pause stop",
    "waiting: review-broke": "retry stop",
    "waiting: rounds-exhausted": "resume stop",
    "waiting: capped": "retry resume stop",
    "waiting: paused": "resume stop",
    "ended: passed": "",
  },
  "pull-request": {
    implementing: "retry pause stop",
    validating: "retry pause stop",
    committing: "pause stop",
    reviewing: "skip retry pause stop",
    fixing: "skip retry pause stop",
    "opening-pr": "pause stop",
    "awaiting-feedback": "refine ready pause stop",
    "waiting: ready-for-human": "refine approve stop",
    "waiting: review-broke": "skip retry stop",
    "waiting: capped": "skip retry resume stop",
    "waiting: paused": "resume stop",
  },
  scored: {
    implementing: "retry pause stop",
    validating: "retry pause stop",
    committing: "pause stop",
    reviewing: "retry pause stop",
    fixing: "retry pause stop",
    "waiting: review-broke": "retry stop",
    "waiting: capped": "retry resume stop",
    "waiting: paused": "resume stop",
    "ended: passed": "",
    "ended: failed": "",
  },
  adversarial: {
    implementing: "retry pause stop",
    validating: "retry pause stop",
    committing: "pause stop",
    reviewing: "retry pause stop",
    fixing: "retry pause stop",
    "opening-pr": "pause stop",
    "waiting: review-broke": "retry take-over stop",
    "waiting: rounds-exhausted": "accept take-over one-more stop",
    "waiting: capped": "retry accept take-over resume stop",
    "waiting: paused": "resume stop",
    "ended: passed": "",
  },
  advisory: {
    implementing: "retry pause stop",
    validating: "retry pause stop",
    committing: "pause stop",
    reviewing: "retry pause stop",
    fixing: "retry pause stop",
    merging: "pause stop",
    "waiting: step-broke": "retry stop",
    "waiting: capped": "retry resume stop",
    "waiting: paused": "resume stop",
  },
};

describe("signal × stage × policy", () => {
  test.for(Object.keys(TABLE) as (keyof typeof TABLE)[])("%s", (name) => {
    const legal = Object.entries(stages(POLICIES[name])).map(([where, state]) => [
      where,
      SIGNALS.filter((signal) => refusal(POLICIES[name], state, signal) === null).join(" "),
    ]);
    expect(Object.fromEntries(legal)).toEqual(TABLE[name]);
  });

  test.for([
    { policy: "gate", signal: "skip", reason: "review is required under gate; it cannot be skipped" },
    { policy: "gate", signal: "approve", reason: "approve is not possible while reviewing" },
    { policy: "pull-request", signal: "accept", reason: "accept is not possible while reviewing" },
  ] as const)("$signal under $policy is refused: $reason", ({ policy, signal, reason }) => {
    const { state } = new Play(POLICIES[policy]).build();
    expect(refusal(POLICIES[policy], state, signal)).toBe(reason);
  });

  test("skip under pull-request is refused while feedback is addressed: the pull request is already open", () => {
    const policy = POLICIES["pull-request"];
    const { state } = new Play(policy)
      .build()
      .review(clean)
      .pr()
      .feedback({ report: bad("high") });
    expect(state).toMatchObject({ stage: "fixing", pr: { number: 7 } });
    expect(refusal(policy, state, "skip")).toBe("the pull request is already open");
  });

  test("a refused signal changes nothing", () => {
    const play = new Play(POLICIES.gate).build();
    const before = play.state;
    expect(play.signal("skip").state).toEqual({ ...before, lastAt: play.state.lastAt });
  });
});

describe("what signals do", () => {
  test("skip under pull-request opens a draft marked NOT REVIEWED, and only a person moves it on", () => {
    const play = new Play(POLICIES["pull-request"]).build().signal("skip");
    expect(play.state).toMatchObject({ stage: "opening-pr", draft: true });
    expect(play.pr(true).state).toMatchObject({ reason: "ready-for-human", detail: "a draft, NOT REVIEWED" });
    expect(play.signal("approve").where).toBe("merging");
  });

  test("skip does not publish an open critical finding", () => {
    const play = new Play(POLICIES["pull-request"]).build().review(bad("critical")).signal("skip");
    expect(play.where).toBe("waiting: never-publish");
  });

  test("pause and resume go back to the same work", () => {
    const play = new Play(POLICIES.gate).build().review(bad("high"));
    const before = play.state;
    play.signal("pause").signal("resume");
    expect(play.state).toMatchObject({ stage: "fixing", problems: before.stage === "fixing" ? before.problems : [] });
  });

  test("a note travels to the next fixer and is gone after it", () => {
    const play = new Play(POLICIES["pull-request"]).build().review(clean).pr().feedback().signal("refine", "rename it");
    expect(play.state).toMatchObject({ stage: "fixing", cause: "person", notes: ["rename it"] });
    expect(play.fix().state.notes).toEqual([]);
  });

  test("a dismissed finding stops blocking, and a rejection that rests on it alone is overruled", () => {
    const play = new Play(POLICIES.gate).build().review(bad("high", 1));
    const { fingerprint } = play.state.findings[0]!;
    play.feed({
      type: "finding-disposed",
      at: 1,
      id: "d1",
      fingerprint,
      disposition: "dismissed",
      by: "ada",
      reason: "intended",
    });
    expect(play.mend().review(bad("high", 1)).where).toBe("ended: passed");
  });

  test("when everything that blocks was ruled on, the change is judged anew at once", () => {
    const play = new Play(POLICIES.adversarial).build();
    play.review(bad("high", 1)).mend().review(bad("high", 1)).mend().review(bad("high", 1));
    const { fingerprint } = play.state.findings[0]!;
    play.feed({
      type: "finding-disposed",
      at: 1,
      id: "d1",
      fingerprint,
      disposition: "accepted-risk",
      by: "ada",
      reason: "known",
    });
    expect(play.where).toBe("opening-pr");
    expect(play.state.verdict?.verdict.result).toBe("pass");
  });
});
