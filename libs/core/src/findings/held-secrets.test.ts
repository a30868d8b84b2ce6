import type { HeldSecret } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { bad, clean, finding, Play, report } from "../testing/build.ts";

const secret: HeldSecret = {
  fingerprint: "f".repeat(32),
  heldIn: "c0",
  finding: {
    rule: "secret",
    category: "security",
    severity: "critical",
    title: "A key is in the code (a.ts:2 in c0)",
    description: "",
  },
};
const secrets = { secrets: [secret] };
const word = {
  type: "finding-disposed",
  at: 9,
  id: "d1",
  fingerprint: secret.fingerprint,
  by: "ada",
  reason: "a dummy",
} as const;

describe("a secret that only a commit of the change holds", () => {
  test.for([
    { policy: "gate", where: "waiting: never-publish" },
    { policy: "pull-request", where: "waiting: never-publish" },
    { policy: "scored", where: "waiting: never-publish" },
    { policy: "adversarial", where: "waiting: never-publish" },
    // Its merge never waits for a review.
    { policy: "advisory", where: "fixing" },
  ] as const)("fails the review under $policy: $where, and no round is burnt", ({ policy, where }) => {
    const play = new Play(POLICIES[policy]).build().review(clean, secrets);
    expect(play.where).toBe(where);
    expect(play.state.rounds.at(-1)?.verdict).toMatchObject({ result: "fail", blocking: [secret.finding] });
  });

  test("says what to do, and where it is", () => {
    const { state } = new Play(POLICIES.adversarial).build().review(clean, secrets);
    expect(state).toMatchObject({
      detail: expect.stringMatching(
        /^not pushed, because it would publish a secret: .*a\.ts:2 in c0.*\. Revoke the secret, then take over and rewrite the branch/,
      ),
    });
  });

  test.for(["dismissed", "accepted-risk"] as const)("that is %s lets the change pass", (disposition) => {
    const play = new Play(POLICIES.adversarial)
      .build()
      .review(clean, secrets)
      .feed({ ...word, disposition });
    expect(play.where).toBe("opening-pr");
  });

  test("that is dismissed leaves what else the review found to the fixer", () => {
    const play = new Play(POLICIES.adversarial).build().review(bad(), secrets);
    expect(play.where).toBe("waiting: never-publish");
    expect(play.feed({ ...word, disposition: "dismissed" }).where).toBe("fixing");
  });

  test("stays open over a fix, and is gone once the search does not find it any more", () => {
    const again = () => new Play(POLICIES.gate).build().review(clean, secrets).signal("refine").mend();
    expect(again().review(clean, secrets).where).toBe("waiting: never-publish");
    expect(again().review(clean).where).toBe("ended: passed");
  });
});

describe("what is gone from the code", () => {
  const gone = finding({
    rule: "assertions-removed",
    file: "a.test.ts",
    line: 3,
    endLine: 3,
    goneAt: [40],
    snippet: "test(",
  });
  const at = (from: number, to: number) => ({ file: "a.test.ts", ranges: [[from, to]] as [number, number][] });
  const review = (play: Play, ...regions: ReturnType<typeof at>[]) =>
    play.review(report({ claim: "fail", findings: [gone] }), { regions });
  const committed = (play: Play, ...regions: ReturnType<typeof at>[]) =>
    play.fix().validate().feed({ type: "committed", at: 9, head: "c9", regions });

  test("was taken out by the change, though the finding stands outside of its lines", () => {
    expect(review(new Play(POLICIES.gate).build(), at(38, 44)).state.findings[0]?.origin).toEqual({ kind: "change" });
  });

  test.for([
    { what: "by the fix that touched the place", touched: at(41, 41), origin: { kind: "fix", round: 1 } },
    { what: "not by a fix that touched the test's head", touched: at(3, 3), origin: { kind: "change" } },
  ] as const)("$what", ({ touched, origin }) => {
    const play = committed(new Play(POLICIES.gate).build().review(bad()), touched);
    expect(review(play, at(38, 44)).state.findings.at(-1)?.origin).toEqual(origin);
  });
});
