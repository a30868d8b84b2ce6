import type { LoopEvent } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { bad, clean, defect, finding, Play, report, WORKED } from "../testing/build.ts";
import { leave } from "./exits.ts";

const gate = () => new Play(POLICIES.gate);
const open = (n: number) => bad("high", n);

describe("bound to one head", () => {
  test("a report for another head is a break, not a round", () => {
    const play = gate().build().review(clean, { head: "somebody-elses" });
    expect(play.state).toMatchObject({ stage: "reviewing", breaks: 1, rounds: [], verdict: null });
  });

  test("a pass of which nothing was seen is no pass", () => {
    const play = gate()
      .build()
      .review(clean, { coverage: { reviewed: [], skipped: [{ file: "a.bin", reason: "binary" }] } });
    expect(play.state).toMatchObject({ stage: "reviewing", breaks: 1, rounds: [] });
  });

  test("an approval on the forge of an older head is ignored", () => {
    const play = new Play(POLICIES["pull-request"]).build().review(clean).pr();
    expect(play.feedback({ head: "c0", state: "approved" }).where).toBe("awaiting-feedback");
    expect(play.feedback({ state: "approved" }).where).toBe("merging");
  });

  test("leaving as passed without a passing verdict for this head waits for a person instead", () => {
    const { state } = gate().build();
    const left = leave(POLICIES.gate, state, { to: "ended", outcome: "passed" }, "approval", "");
    expect(left.stage).toBe("waiting-for-human");
  });
});

describe("the project's own checks", () => {
  test("failing checks go to the fixer without spending a round", () => {
    const play = gate().implement().validate("failed");
    expect(play.state).toMatchObject({ stage: "fixing", cause: "validation", problems: [{ title: "2 tests fail" }] });
    expect(play.fix().validate().commit().state).toMatchObject({ stage: "reviewing", cycle: { reviews: 0, fixes: 0 } });
  });

  test.for([
    { policy: "gate", where: "waiting: validation-failed" },
    { policy: "advisory", where: "waiting: validation-failed" },
  ] as const)("$policy: checks that never pass before the first commit end at a person", ({ policy, where }) => {
    const play = new Play(POLICIES[policy]).implement().validate("failed");
    play.fix().validate("failed").fix().validate("failed");
    expect(play.where).toBe(where);
  });

  test("advisory: a fix that never passes the checks is dropped and the reviewed commit is merged", () => {
    const play = new Play(POLICIES.advisory).build().review(open(1));
    play.fix().validate("failed").fix().validate("failed").fix().validate("failed");
    expect(play.state).toMatchObject({ stage: "merging", head: "c1" });
  });

  test("what they refused first is known until it is committed, or a person has seen what it came to", () => {
    const play = gate().implement().validate("failed");
    const problems = [{ title: "2 tests fail" }];
    expect(play.state).toMatchObject({ refused: { tree: "t1", problems } });
    play.feed({ type: "fixed", at: 9, usage: {}, changed: true, refutations: [], ...WORKED, tree: "t2" });
    expect(play.validate("failed").state).toMatchObject({ tree: "t2", refused: { tree: "t1", problems } });
    expect(play.fix().validate("failed").where).toBe("waiting: validation-failed");
    expect(play.state).not.toHaveProperty("refused");
    expect(gate().implement().validate("failed").fix().validate().commit().state).not.toHaveProperty("refused");
  });

  test("a refused commit hook is a finding for the fixer", () => {
    const play = gate().implement().validate();
    play.feed({ type: "commit-refused", at: 9, findings: [finding({ rule: "hook", title: "pre-commit says no" })] });
    expect(play.state).toMatchObject({ stage: "fixing", problems: [{ title: "pre-commit says no" }] });
  });
});

describe("convergence", () => {
  test("an implementation that changed nothing waits for a person", () => {
    expect(gate().implement(false).where).toBe("waiting: no-change");
  });

  test.for([
    { policy: "gate", where: "waiting: stalled" },
    { policy: "pull-request", where: "opening-pr" },
    { policy: "scored", where: "ended: failed" },
    { policy: "adversarial", where: "waiting: stalled" },
    { policy: "advisory", where: "merging" },
  ] as const)("$policy: a fix that changes and refutes nothing is a stall → $where at once", ({ policy, where }) => {
    const answer = policy === "scored" ? report({ claim: "fail" }) : open(1);
    const play = new Play(POLICIES[policy]).build().review(answer).fix(false);
    expect(play.where).toBe(where);
    expect(play.state.rounds).toHaveLength(1);
  });

  test("a stall says what is stuck where no review lists it", () => {
    const red = gate().implement().validate("failed").fix(false);
    const stuck = 'the fix changed nothing and refuted nothing; stuck on "2 tests fail" in src/cart.ts:10';
    expect(red.state).toMatchObject({ reason: "stalled", detail: stuck });
    const reviewed = gate().build().review(open(1)).fix(false);
    expect(reviewed.state).toMatchObject({ detail: "the fix changed nothing and refuted nothing" });
  });

  test("a fix that commits nothing after all is a stall too", () => {
    const play = gate().build().review(open(1)).fix().validate().feed({ type: "nothing-to-commit", at: 1 });
    expect(play.where).toBe("waiting: stalled");
  });

  test("a refutation goes to the next review, which must rule; accepted, it blocks no more", () => {
    const play = gate().build().review(open(1));
    const [entry] = play.state.findings;
    play.fix(false, [{ fingerprint: entry!.fingerprint, evidence: "the list is never empty: see guard in line 8" }]);
    expect(play.state).toMatchObject({ stage: "reviewing", head: "c1" });
    const rulings = [{ fingerprint: entry!.fingerprint, ruling: "refuted" as const }];
    play.review(report({ rulings }), { standing: [entry!.fingerprint] });
    expect(play.where).toBe("ended: passed");
    expect(play.state.findings[0]?.disposition).toEqual({
      kind: "refuted",
      evidence: "the list is never empty: see guard in line 8",
    });
  });

  test("no ruling means still open: an approval that is silent about unchanged code does not pass", () => {
    const play = gate().build().review(open(1)).mend();
    play.review(clean, { standing: [play.state.findings[0]!.fingerprint] });
    expect(play.where).toBe("fixing");
  });

  test("adversarial uses the current report only: a fresh reviewer's silence passes", () => {
    const play = new Play(POLICIES.adversarial).build().review(open(1)).mend();
    play.review(report({ claim: null }), { standing: [play.state.findings[0]!.fingerprint] });
    expect(play.where).toBe("opening-pr");
  });

  test("a blocking finding that comes back after it was resolved is oscillation, named with its location", () => {
    const play = gate().build().review(open(1)).mend().review(open(2)).mend().review(open(1));
    expect(play.where).toBe("waiting: oscillating");
    expect(play.state).toMatchObject({ detail: expect.stringContaining("src/cart.ts:1") });
  });

  test("fixes that make more findings than they resolve over two rounds are oscillation", () => {
    const many = (from: number, n: number) =>
      report({
        claim: "fail",
        findings: Array.from({ length: n }, (_, i) => defect(from + i)),
      });
    const regions = [{ file: "src/cart.ts", ranges: [[1, 999]] as [number, number][] }];
    const play = new Play({ ...POLICIES.gate, limits: { ...POLICIES.gate.limits, reviews: 9, fixes: 8 } }).build();
    const mend = () =>
      play
        .fix()
        .validate()
        .feed({ type: "committed", at: 1, head: `h${play.log.length}`, regions });
    play.review(many(10, 1));
    mend().review(many(20, 2));
    mend().review(many(30, 4));
    expect(play.where).toBe("waiting: oscillating");
    expect(play.state).toMatchObject({ detail: expect.stringContaining("caused 6 findings and resolved 3") });
  });
});

describe("caps", () => {
  const dear = { usage: { inputTokens: 600, outputTokens: 500, costUsd: 3 } };
  test.for([
    { caps: { tokens: 1_000 }, detail: "1100 of 1000 tokens are used" },
    { caps: { costUsd: 2.5 }, detail: "$3 of $2.5 are spent" },
    { caps: { wallMs: 3_000 }, detail: "4000 of 3000 ms are used" },
  ])("$caps ends at a person's decision and resumes with a new budget", ({ caps, detail }) => {
    const play = new Play({ ...POLICIES.gate, caps: {} }).build();
    const capped = new Play({ ...POLICIES.gate, caps });
    for (const event of play.log.slice(1)) capped.feed({ ...event, at: 0 });
    capped.review(open(1), { ...dear, at: 4_000 });
    expect(capped.state).toMatchObject({
      stage: "waiting-for-human",
      reason: "capped",
      detail: expect.stringContaining(`${detail}; stuck on `),
      options: ["resume", "stop"],
    });
    expect(capped.signal("resume").where).toBe("fixing");
    expect(capped.state.cycle).toMatchObject({ tokens: 0, costUsd: 0 });
  });

  test("a pass that spends the last of the budget is still a pass", () => {
    expect(new Play({ ...POLICIES.gate, caps: { tokens: 10 } }).build().review(clean, dear).where).toBe(
      "ended: passed",
    );
  });

  test("advisory merges what it has when a cap is met, and never something without a commit", () => {
    const policy = { ...POLICIES.advisory, caps: { tokens: 10 } };
    expect(new Play(policy).build().review(open(1), dear).where).toBe("merging");
    const early: LoopEvent = { type: "implemented", at: 1, usage: { inputTokens: 11 }, changed: true, ...WORKED };
    expect(new Play(policy).feed(early).where).toBe("waiting: capped");
  });
});

describe("delivery", () => {
  test("a critical finding is not pushed, at the cap neither; a person refines", () => {
    const play = new Play(POLICIES["pull-request"]).build();
    play.review(bad("critical", 1)).mend().review(bad("critical", 2)).mend().review(bad("critical", 3));
    expect(play.where).toBe("waiting: never-publish");
    expect(play.signal("refine").mend().review(clean).where).toBe("opening-pr");
  });

  test("a merge conflict is reported as itself and can be tried again", () => {
    const play = new Play(POLICIES.advisory).build().review(clean);
    play.feed({ type: "merge-conflicted", at: 1, files: ["a.ts"] });
    expect(play.state).toMatchObject({ reason: "merge-conflict", detail: "conflict in a.ts" });
    expect(play.signal("retry").where).toBe("merging");
  });

  test("a forge that stays down asks a person, and the retry goes back to the same step", () => {
    const play = new Play(POLICIES["pull-request"]).build().review(clean);
    play.breaks().breaks().breaks().breaks();
    expect(play.where).toBe("waiting: step-broke");
    expect(play.signal("retry").where).toBe("opening-pr");
  });

  test("new feedback reopens what was ready for a human", () => {
    const play = new Play(POLICIES["pull-request"]).build().review(clean).pr().feedback();
    expect(play.where).toBe("waiting: ready-for-human");
    expect(play.feedback({ report: bad("high") }).state).toMatchObject({ stage: "fixing", cause: "feedback" });
  });

  test("a failing check without a comment is a finding of its own", () => {
    const play = new Play(POLICIES["pull-request"]).build().review(clean).pr().feedback({ checks: "failing" });
    expect(play.state).toMatchObject({ stage: "fixing", problems: [{ rule: "failing-check" }] });
  });

  test("feedback that never settles ends at a person", () => {
    const play = new Play(POLICIES["pull-request"]).build().review(clean).pr();
    for (let n = 0; n < 5; n++)
      play
        .feedback({ report: open(n) })
        .mend()
        .review(clean)
        .pr();
    expect(play.feedback({ report: open(9) }).where).toBe("waiting: feedback-exhausted");
  });

  test("merged or closed on the forge ends the loop", () => {
    const play = () => new Play(POLICIES["pull-request"]).build().review(clean).pr();
    expect(play().feedback({ state: "merged" }).where).toBe("ended: merged");
    expect(play().feedback({ state: "closed" }).where).toBe("ended: closed");
  });
});

describe("ways out that a person takes", () => {
  const pr = () => new Play(POLICIES["pull-request"]);

  test("a head that nobody reviewed stays a draft, whatever happens after the skip", () => {
    const play = pr().build().signal("skip").pr(true).signal("refine", "rename it").fix(false);
    expect(play.state).toMatchObject({ stage: "opening-pr", draft: true, verdict: null });
  });

  test("feedback that does not settle is still there for a refinement", () => {
    const play = pr().build().review(clean).pr();
    for (let n = 0; n < 5; n++)
      play
        .feedback({ report: open(n) })
        .mend()
        .review(clean)
        .pr();
    play.feedback({ report: open(9) });
    expect(play.signal("refine").state).toMatchObject({
      stage: "fixing",
      problems: [{ title: open(9).findings[0]?.title }],
    });
  });

  test("a pull request that was merged on the forge ends the loop in any wait", () => {
    const play = pr().build().review(clean).pr().signal("pause");
    expect(play.feedback({ state: "merged" }).where).toBe("ended: merged");
  });

  test("addressed is only what passed: feedback that was not dealt with is said to be open", () => {
    const play = pr()
      .build()
      .review(clean)
      .pr()
      .feedback({ report: open(1) })
      .fix(false);
    expect(play.pr().state).toMatchObject({ reason: "ready-for-human" });
    const failed = pr()
      .build()
      .review(clean)
      .pr()
      .feedback({ report: open(1) })
      .mend();
    failed.review(open(2)).mend().review(open(3)).mend().review(open(4));
    expect(failed.pr().state).toMatchObject({ detail: "the feedback was worked on, but findings are still open" });
  });

  test.for(["passing", "none"] as const)("an approval waits for the checks until they are %s", (checks) => {
    const play = pr().build().review(clean).pr();
    expect(play.feedback({ state: "approved", checks: "pending" }).where).toBe("awaiting-feedback");
    expect(play.feedback({ state: "approved", checks }).where).toBe("merging");
  });

  test("nothing to commit after all goes back to the implementer, not to another empty commit", () => {
    const play = gate().implement().validate().feed({ type: "nothing-to-commit", at: 1 });
    expect(play.where).toBe("waiting: no-change");
    expect(play.signal("retry").where).toBe("implementing");
  });

  test("a repair that leaves nothing to commit goes back to the implementer, or to what the review found", () => {
    const empty: LoopEvent = { type: "nothing-to-commit", at: 1 };
    const play = gate().implement().validate("failed").fix().validate().feed(empty).signal("retry");
    expect(play.where).toBe("implementing");
    const later = gate().build().review(open(1)).fix().validate("failed").fix().validate().feed(empty).signal("retry");
    expect(later.state.stage === "fixing" ? later.state.problems : []).toHaveLength(1);
  });

  test("a pause keeps the commit that is decided", () => {
    const plan = {
      tree: "t",
      parent: "p",
      branch: "b",
      message: "m",
      author: { name: "a", email: "e" },
      date: "1 +0000",
    };
    const play = gate().implement().validate().feed({ type: "commit-prepared", at: 1, plan });
    expect(play.signal("pause").signal("resume").state).toMatchObject({ stage: "committing", plan });
  });

  test("failing checks are still on the fixer's list after a person resumes", () => {
    const play = gate()
      .build()
      .review(open(1))
      .fix()
      .validate("failed")
      .fix()
      .validate("failed")
      .fix()
      .validate("failed");
    expect(play.where).toBe("waiting: validation-failed");
    const state = play.signal("resume").state;
    expect(state.stage === "fixing" ? state.problems.map((one) => one.title) : []).toContain("2 tests fail");
  });

  test("a critical finding that is reopened while the forge is down is still not pushed", () => {
    const play = pr()
      .build()
      .review(report({ findings: [finding({ severity: "low", rule: "secret" })] }));
    const { fingerprint } = play.state.findings[0]!;
    const ruled = { type: "finding-disposed", at: 1, fingerprint, by: "ada", reason: "r" } as const;
    play.feed({ ...ruled, id: "d1", disposition: "dismissed" }).signal("stop");
    const again = pr().build().review(clean).breaks().breaks().breaks().breaks();
    expect(again.where).toBe("waiting: step-broke");
    again.state = { ...again.state, findings: [{ ...play.state.findings[0]!, disposition: { kind: "open" } }] };
    expect(again.signal("retry").where).toBe("waiting: never-publish");
  });

  test("time that people take is nobody's budget", () => {
    const play = new Play({ ...POLICIES.gate, caps: { wallMs: 60_000 } }).build().signal("pause");
    const resumed: LoopEvent = { type: "signalled", at: 9_000_000, id: "r", signal: "resume", by: "ada" };
    expect(play.feed(resumed).where).toBe("reviewing");
    expect(play.review(clean, { at: 9_001_000 }).where).toBe("ended: passed");
  });
});

describe("the custom pipeline", () => {
  const approved = (steps: string[], needsApproval = false) =>
    new Play(POLICIES.gate, { steps, needsApproval }).build().review(clean);

  test("runs its steps in order after the approval, then goes where the policy says", () => {
    const play = approved(["lint", "docs"]);
    expect(play.state).toMatchObject({ stage: "implementing", step: "lint" });
    expect(play.implement(false).state).toMatchObject({ stage: "implementing", step: "docs" });
    expect(play.implement(false).where).toBe("ended: passed");
  });

  test("comes before the approval by hand", () => {
    expect(approved(["lint"], true).implement(false).where).toBe("waiting: approval");
  });

  test("that needs a repair goes on with its next step after it", () => {
    const play = approved(["lint", "docs"]).implement().validate("failed").fix().validate().commit();
    expect(play.state).toMatchObject({ stage: "implementing", step: "docs" });
  });

  test("that changes the code voids the verdict: the result is reviewed again", () => {
    const play = approved(["lint"]).implement().validate().commit();
    expect(play.state).toMatchObject({ stage: "reviewing", head: "c2", steps: [] });
    expect(play.review(clean).where).toBe("ended: passed");
  });
});

describe("a loop on a branch that exists", () => {
  test("starts at its review", () => {
    expect(new Play(POLICIES.adversarial, { head: "abc" }).where).toBe("reviewing");
  });
});
