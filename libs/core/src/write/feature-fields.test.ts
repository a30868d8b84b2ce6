import type { LoopState, Policy } from "@anneal/types";
import fc from "fast-check";
import { expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { bad, clean, Play } from "../testing/build.ts";
import { brokenReviewFile, codeReviewSpec, featureFields, leavesSameFiles, reviewStanding } from "./feature-fields.ts";

const textOf = (blob: string) => blob;

/** Everything that a state leaves in the files of its feature. */
function filesOf(policy: Policy, state: LoopState): unknown {
  const { outputs, rounds } = state;
  return [featureFields(policy, state, textOf), brokenReviewFile("t", policy, state, textOf), outputs, rounds];
}

const MOVES: ((play: Play, n: number) => Play)[] = [
  (play) => play.implement(),
  (play) => play.implement(false),
  (play, n) => play.feed({ ...implemented, at: n, output: `said ${n}` }),
  (play) => play.validate("passed"),
  (play) => play.validate("failed"),
  (play) => play.commit(),
  (play) => play.review(clean),
  (play, n) => play.review(bad("critical", n)),
  (play) => play.review({ status: "inconclusive", reason: "?" }),
  (play) => play.fix(),
  (play) => play.fix(false),
  (play) => play.breaks(),
  (play) => play.cap(),
  (play) => play.pr(),
  (play) => play.feedback(),
  (play) => play.feedback({ report: bad(), checks: "failing" }),
  (play) => play.signal("pause"),
  (play) => play.signal("resume"),
  (play) => play.signal("retry"),
  (play) => play.signal("approve"),
  (play) => play.signal("refine", "look again"),
  (play, n) => play.feed({ ...disposed, at: n, id: `d${n}`, fingerprint: play.state.findings[0]?.fingerprint ?? "" }),
  (play, n) => play.feed({ type: "abandoned", at: n, stage: "reviewing" }),
];
const worked = { usage: {}, changed: true, tree: "t", by: { agent: "a", model: null, provider: null } };
const implemented = { type: "implemented", ...worked } as const;
const disposed = { type: "finding-disposed", disposition: "deferred", by: "ada", reason: "later" } as const;

test("an event that is told to leave the files as they are does so, and the line for lists says what feature.json says", () => {
  const moves = fc.array(fc.constantFrom(...MOVES), { minLength: 5, maxLength: 60 });
  const seen = { same: 0, other: 0 };
  fc.assert(
    fc.property(fc.constantFrom(...Object.values(POLICIES)), moves, fc.boolean(), (policy, all, hurry) => {
      const play = new Play(policy, { steps: ["lint"] });
      if (hurry) play.build();
      for (const [n, move] of all.entries()) {
        const before = play.state;
        const after = move(play, n).state;
        const same = leavesSameFiles(before, after);
        seen[same ? "same" : "other"] += 1;
        if (same) expect(filesOf(policy, after)).toEqual(filesOf(policy, before));
        const spec = codeReviewSpec(policy, after, textOf);
        const { status, currentIteration } = spec ?? {};
        expect(reviewStanding(after)).toEqual(spec === null ? null : { status, currentIteration });
      }
    }),
    { numRuns: 300 },
  );
  expect(Math.min(seen.same, seen.other)).toBeGreaterThan(1_000);
});

test("attempts, pauses within a stage's column and rulings on findings leave the files as they are", () => {
  const play = new Play(POLICIES.gate).build().review(bad());
  for (const move of [
    (one: Play) => one.feed({ type: "intended", at: 1, stage: "fixing", attempt: 1 }),
    (one: Play) => one.breaks(),
    (one: Play) => one.signal("pause"),
    (one: Play) => one.signal("resume"),
  ]) {
    const before = play.state;
    expect(leavesSameFiles(before, move(play).state)).toBe(true);
  }
});
