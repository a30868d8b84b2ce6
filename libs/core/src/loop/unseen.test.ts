import type { Coverage } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { clean, PERFECT_SCORES, Play } from "../testing/build.ts";

const SUBMODULE = { file: "lib", reason: "submodule" };
const approval = { ...clean, scores: PERFECT_SCORES };
const seen = (...skipped: Coverage["skipped"]): Coverage => ({ reviewed: ["a.js"], skipped });
const reviewed = (policy: keyof typeof POLICIES, coverage: Coverage) =>
  new Play(POLICIES[policy]).build().review(approval, { coverage });

describe("an approval of what was not read whole", () => {
  test.for([
    { policy: "gate", leads: "waiting-for-human" },
    { policy: "pull-request", leads: "waiting-for-human" },
    { policy: "scored", leads: "waiting-for-human" },
    { policy: "adversarial", leads: "waiting-for-human" },
    { policy: "advisory", leads: "merging" },
  ] as const)("is no verdict under $policy, at once, and leads to $leads", ({ policy, leads }) => {
    const { state } = reviewed(policy, seen(SUBMODULE));
    expect(state).toMatchObject({ stage: leads, verdict: null, rounds: [], breaks: 0 });
    if (state.stage === "waiting-for-human")
      expect(state).toMatchObject({ reason: "review-broke", detail: expect.stringContaining("lib (submodule)") });
  });

  test.for(Object.keys(POLICIES) as (keyof typeof POLICIES)[])("passes under %s where a person waived it", (policy) => {
    const { state } = reviewed(policy, seen({ ...SUBMODULE, excused: "waived" }));
    expect(state).toMatchObject({ verdict: { verdict: { result: "pass" } }, rounds: [{ number: 1 }] });
  });

  test("counts as the review that it is where it rejects", () => {
    const play = new Play(POLICIES.gate).build();
    const rejection = { ...approval, claim: "fail" as const };
    expect(play.review(rejection, { coverage: seen(SUBMODULE) }).state).toMatchObject({ stage: "fixing" });
  });
});
