import type { LoopState, Policy } from "@anneal/types";
import fc from "fast-check";
import { expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { bad, clean, Play } from "../testing/build.ts";
import { brokenReviewFile, codeReviewSpec, featureFields, leavesSameFiles, reviewProgress } from "./feature-fields.ts";

const textOf = (blob: string) => blob;

/** Everything that a state leaves in the files of its feature. */
function filesOf(policy: Policy, state: LoopState): unknown {
  const { outputs, rounds } = state;
  return [featureFields(policy, state, textOf), brokenReviewFile("t", policy, state, textOf), outputs, rounds];
}

type Move = (play: Play, n: number) => Play;

const ANYWHERE: readonly Move[] = [
  (play) => play.breaks(),
  (play) => play.cap(),
  (play) => play.signal("pause"),
  (play) => play.signal("resume"),
  (play) => play.signal("retry"),
  (play) => play.signal("approve"),
  (play) => play.signal("refine", "look again"),
  (play, n) => play.feed({ ...disposed, at: n, id: `d${n}`, fingerprint: play.state.findings[0]?.fingerprint ?? "" }),
  (play, n) => play.feed({ type: "abandoned", at: n, stage: "reviewing" }),
];
const FITTING: Partial<Record<LoopState["stage"], readonly Move[]>> = {
  implementing: [
    (play) => play.implement(),
    (play) => play.implement(false),
    (play, n) => play.feed({ ...implemented, at: n, output: `said ${n}` }),
  ],
  validating: [(play) => play.validate("passed"), (play) => play.validate("failed")],
  committing: [(play) => play.commit()],
  reviewing: [
    (play) => play.review(clean),
    (play, n) => play.review(bad("critical", n)),
    (play) => play.review({ status: "inconclusive", reason: "?" }),
  ],
  fixing: [(play) => play.fix(), (play) => play.fix(false)],
  "opening-pr": [(play) => play.pr()],
  "awaiting-feedback": [
    (play) => play.feedback(),
    (play) => play.feedback({ report: bad(), checks: "failing" }),
    (play) => play.feedback({ checks: "pending" }),
  ],
};

/** Mostly what fits the stage. */
function moveFor({ state }: Play, choice: number): Move {
  const fitting = FITTING[state.stage] ?? ANYWHERE;
  const all = choice % 3 === 0 ? ANYWHERE : fitting;
  return all[Math.floor(choice / 3) % all.length] ?? ((play) => play);
}

const worked = { usage: {}, changed: true, tree: "t", by: { agent: "a", model: null, provider: null } };
const implemented = { type: "implemented", ...worked } as const;
const disposed = { type: "finding-disposed", disposition: "deferred", by: "ada", reason: "later" } as const;

test("an event that leaves the files as they are does so, and the line for lists says what feature.json says", () => {
  const choices = fc.array(fc.nat(1_000), { minLength: 20, maxLength: 60, size: "max" });
  const seen = { same: 0, other: 0 };
  fc.assert(
    fc.property(fc.constantFrom(...Object.values(POLICIES)), choices, (policy, all) => {
      const play = new Play(policy, { steps: ["lint"] });
      for (const [n, choice] of all.entries()) {
        const before = play.state;
        const after = moveFor(play, choice)(play, n).state;
        const same = leavesSameFiles(before, after);
        seen[same ? "same" : "other"] += 1;
        if (same) expect(filesOf(policy, after)).toEqual(filesOf(policy, before));
        const spec = codeReviewSpec(policy, after, textOf);
        const { status, currentIteration } = spec ?? {};
        expect(reviewProgress(after)).toEqual(spec === null ? null : { status, currentIteration });
      }
    }),
    { numRuns: 300 },
  );
  expect(Math.min(seen.same, seen.other)).toBeGreaterThan(1_000);
});

test("a review does not stand as approved where somebody merged another head", () => {
  const open = () => new Play(POLICIES["pull-request"]).build().review(clean).pr();
  const standing = (head: string) => reviewProgress(open().feedback({ state: "merged", head }).state)?.status;
  expect([standing("c1"), standing("theirs")]).toEqual(["approved", "pending"]);
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
