import { Policy, type Severity } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { bad, clean, finding, PERFECT_SCORES, Play, report } from "../testing/build.ts";
import { advisoryWith } from "../units/testing/plays.ts";
import { POLICIES, pullRequestWith } from "./index.ts";

const names = Object.keys(POLICIES) as (keyof typeof POLICIES)[];

/** Reviews that all fail, each with its own finding, until the loop leaves its rounds. */
function failUntilOut(policy: Policy): Play {
  const play = new Play(policy).build();
  for (let n = 1; n <= 20 && ["reviewing", "fixing"].includes(play.state.stage); n++) {
    if (play.state.stage === "reviewing") play.review(bad("critical", n));
    else play.mend();
  }
  return play;
}

describe("every policy", () => {
  test.for(names)("%s is valid under the schema that users' own policies meet", (name) => {
    expect(Policy.parse(POLICIES[name])).toEqual(POLICIES[name]);
  });

  test("a policy of a user's own is refused with the location named", () => {
    const own = {
      ...POLICIES.gate,
      limits: { ...POLICIES.gate.limits, reviews: -1 },
      pass: { ...POLICIES.gate.pass, blocksAt: "severe" },
    };
    const places = Policy.safeParse(own).error?.issues.map((issue) => issue.path.join("."));
    expect(places).toEqual(["limits.reviews", "pass.blocksAt"]);
  });

  test.for([
    { what: "a misspelt key of the pass rule", own: { pass: { ...POLICIES.gate.pass, blockAt: "low" } } },
    { what: "a misspelt scorecard", own: { pass: { ...POLICIES.gate.pass, scorcard: {} } } },
    {
      what: "a scorecard without dimensions",
      own: { pass: { ...POLICIES.gate.pass, scorecard: { dimensions: {}, overallAtLeast: 75 } } },
    },
    {
      what: "a wait without a way on",
      own: { exits: { ...POLICIES.gate.exits, capped: { to: "waiting-for-human", options: [] } } },
    },
    {
      what: "a misspelt key of an exit",
      own: { exits: { ...POLICIES.gate.exits, capped: { to: "waiting-for-human", options: ["resume"], option: [] } } },
    },
    { what: "no review and yet no merge", own: { limits: { ...POLICIES.gate.limits, reviews: 0 } } },
    { what: "a draft that is never pushed", own: { skip: "draft-pr" } },
    { what: "a misspelt cap", own: { caps: { tokns: 5 } } },
    {
      what: "a broken review that ends as merged",
      own: { exits: { ...POLICIES.gate.exits, broke: { to: "ended", outcome: "merged" } } },
    },
    {
      what: "a cap that ends as accepted",
      own: { exits: { ...POLICIES.gate.exits, capped: { to: "ended", outcome: "accepted" } } },
    },
  ])("$what is refused", ({ own }) => {
    expect(Policy.safeParse({ ...POLICIES.gate, ...own }).success).toBe(false);
  });

  test("no policy can end as passed except by passing", () => {
    const own = {
      ...POLICIES.gate,
      exits: { ...POLICIES.gate.exits, roundsRunOut: { to: "ended", outcome: "passed" } },
    };
    expect(Policy.safeParse(own).success).toBe(false);
  });
});

describe("row: work item", () => {
  test.for([
    { policy: "gate", workItem: "feature" },
    { policy: "pull-request", workItem: "feature" },
    { policy: "scored", workItem: "ticket" },
    { policy: "adversarial", workItem: "story" },
    { policy: "advisory", workItem: "unit" },
  ] as const)("$policy works on a $workItem", ({ policy, workItem }) => {
    expect(POLICIES[policy].workItem).toBe(workItem);
  });
});

describe("row: reviews at most", () => {
  test.for([
    { policy: "gate", reviews: 3, fixes: 2 },
    { policy: "pull-request", reviews: 3, fixes: 2 },
    { policy: "scored", reviews: 3, fixes: 2 },
    { policy: "adversarial", reviews: 3, fixes: 2 },
    { policy: "advisory", reviews: 1, fixes: 1 },
  ] as const)("$policy: $reviews reviews and $fixes fixes, counted either way", ({ policy, reviews, fixes }) => {
    const play = failUntilOut(POLICIES[policy]);
    expect(play.log.filter((e) => e.type === "reviewed")).toHaveLength(reviews);
    expect(play.log.filter((e) => e.type === "fixed")).toHaveLength(fixes);
  });

  test.for([
    { maxIterations: 1, reviews: 1, fixes: 0 },
    { maxIterations: 2, reviews: 2, fixes: 1 },
    { maxIterations: 5, reviews: 5, fixes: 4 },
  ])(
    "pull-request with maxIterations $maxIterations: $reviews reviews, $fixes fixes",
    ({ maxIterations, reviews, fixes }) => {
      const play = failUntilOut(pullRequestWith({ maxIterations, severityThreshold: "medium" }));
      expect(play.log.filter((e) => e.type === "reviewed")).toHaveLength(reviews);
      expect(play.log.filter((e) => e.type === "fixed")).toHaveLength(fixes);
    },
  );

  test("scored: revision_count >= MAX_REVISIONS (2) and >= 3 both leave two revisions", () => {
    const play = new Play(POLICIES.scored).build();
    const revisionsWhenFailed = (giveUp: (revisions: number) => boolean) => {
      let revisions = 0;
      while (!giveUp(revisions)) revisions++;
      return revisions;
    };
    // The first reading gives up at a failed review after 2 revisions; the second never starts revision 3.
    expect(revisionsWhenFailed((count) => count >= 2)).toBe(2);
    expect(revisionsWhenFailed((count) => count + 1 >= 3)).toBe(2);
    play.review(bad("critical", 1)).mend().review(bad("critical", 2)).mend();
    expect(play.where).toBe("reviewing");
    expect(play.review(bad("critical", 3)).where).toBe("ended: failed");
    expect(play.log.filter((e) => e.type === "fixed")).toHaveLength(2);
  });

  test("adversarial: a person adds one review at a time, five in all, then the choice is gone", () => {
    const play = failUntilOut(POLICIES.adversarial);
    expect(play.state).toMatchObject({ options: ["take-over", "accept", "one-more", "stop"] });
    play.signal("one-more").mend().review(bad("critical", 14));
    expect(play.state).toMatchObject({ options: ["take-over", "accept", "one-more", "stop"] });
    play.signal("one-more").mend().review(bad("critical", 15));
    expect(play.state).toMatchObject({ options: ["take-over", "accept", "stop"] });
    expect(play.signal("one-more").where).toBe("waiting: rounds-exhausted");
    expect(play.state.rounds).toHaveLength(5);
  });

  test("adversarial: no way of resuming gets past five reviews", () => {
    const play = new Play({ ...POLICIES.adversarial, caps: { tokens: 10 } }).build();
    for (let n = 1; n < 60 && play.state.stage !== "ended"; n++) {
      if (play.state.stage === "reviewing") play.review(bad("critical", n), { usage: { inputTokens: 20 } });
      else if (play.state.stage === "fixing") play.mend();
      else if (play.where === "waiting: capped") play.signal("resume");
      else play.signal("one-more").signal("accept");
    }
    expect(play.state.rounds.length).toBeLessThanOrEqual(5);
    expect(play.where).toBe("ended: accepted");
  });

  test.for([
    { n: 0, events: ["reviewed"] },
    { n: 1, events: ["reviewed", "fixed"] },
    { n: 2, events: ["reviewed", "fixed", "reviewed", "fixed"] },
    { n: 3, events: ["reviewed", "fixed", "reviewed", "fixed", "reviewed", "fixed"] },
  ])("advisory with max_fix_iterations $n: $events, then the merge", ({ n, events }) => {
    const play = failUntilOut(advisoryWith(n));
    expect(play.log.map((e) => e.type).filter((t) => t === "reviewed" || t === "fixed")).toEqual(events);
    expect(play.where).toBe("merging");
  });
});

describe("row: reviewer sees", () => {
  test.for([
    { policy: "gate", sees: ["work-item", "spec", "round-diff", "whole-diff", "earlier-findings", "project-context"] },
    { policy: "pull-request", sees: ["work-item", "whole-diff", "earlier-findings"] },
    {
      policy: "scored",
      sees: ["work-item", "epic-coordination", "whole-diff", "validation-result", "previous-feedback"],
    },
    { policy: "adversarial", sees: ["work-item", "whole-diff"] },
    { policy: "advisory", sees: ["whole-diff"] },
  ] as const)("$policy shows its reviewer $sees", ({ policy, sees }) => {
    expect(POLICIES[policy].reviewer.sees).toEqual(sees);
  });
});

describe("row: passes when", () => {
  const low = (scores: Record<string, number>) => report({ scores: { ...PERFECT_SCORES, ...scores } });
  const of = (severity: "critical" | "high" | "medium" | "low" | "info") =>
    report({ claim: null, findings: [finding({ severity })] });
  test.for([
    {
      policy: "gate",
      says: "approved, only warnings",
      answer: report({ findings: [finding({ severity: "medium" })] }),
      passes: true,
    },
    {
      policy: "gate",
      says: "approved with an error finding",
      answer: report({ findings: [finding({ severity: "high" })] }),
      passes: false,
    },
    { policy: "gate", says: "rejected without any finding", answer: report({ claim: "fail" }), passes: false },
    {
      policy: "pull-request",
      says: "pass with a low issue",
      answer: report({ findings: [finding({ severity: "low" })] }),
      passes: true,
    },
    {
      policy: "pull-request",
      says: "pass with a medium issue",
      answer: report({ findings: [finding({ severity: "medium" })] }),
      passes: false,
    },
    { policy: "pull-request", says: "needs_work without issues", answer: report({ claim: "fail" }), passes: false },
    {
      policy: "scored",
      says: "requirement 90, coordination 90",
      answer: low({ requirement_adherence: 90, coordination_compliance: 90 }),
      passes: true,
    },
    { policy: "scored", says: "requirement 89", answer: low({ requirement_adherence: 89 }), passes: false },
    { policy: "scored", says: "coordination 89.9", answer: low({ coordination_compliance: 89.9 }), passes: false },
    {
      policy: "scored",
      says: "quality 70, patterns 70, tests 70",
      answer: low({ code_quality: 70, pattern_consistency: 70, test_quality: 70 }),
      passes: true,
    },
    { policy: "scored", says: "quality 69", answer: low({ code_quality: 69 }), passes: false },
    { policy: "scored", says: "patterns 69", answer: low({ pattern_consistency: 69 }), passes: false },
    { policy: "scored", says: "tests 69", answer: low({ test_quality: 69 }), passes: false },
    {
      policy: "scored",
      says: "a blocking issue",
      answer: report({ findings: [finding({ severity: "critical" })] }),
      passes: false,
    },
    {
      policy: "scored",
      says: "an error finding that is not a blocking issue",
      answer: report({ findings: [finding({ severity: "high" })] }),
      passes: false,
    },
    { policy: "scored", says: "fail in spite of good scores", answer: report({ claim: "fail" }), passes: false },
    { policy: "adversarial", says: "only Minor", answer: of("low"), passes: true },
    { policy: "adversarial", says: "one Important", answer: of("high"), passes: false },
    { policy: "adversarial", says: "one medium, which 003 calls Important", answer: of("medium"), passes: false },
    { policy: "adversarial", says: "one Critical", answer: of("critical"), passes: false },
    { policy: "advisory", says: "nothing", answer: report({ claim: null }), passes: true },
    { policy: "advisory", says: "one suggestion", answer: of("info"), passes: false },
  ] as const)("$policy: $says → passes: $passes", ({ policy, answer, passes }) => {
    const play = new Play(POLICIES[policy]).build().review(answer);
    expect(play.state.verdict?.verdict.result).toBe(passes ? "pass" : "fail");
  });

  test("scored: the overall score is computed by us with weights 3, 2, 1 and needs 75", () => {
    const policy = {
      ...POLICIES.scored,
      pass: { ...POLICIES.scored.pass, scorecard: { ...POLICIES.scored.pass.scorecard, overallAtLeast: 92 } },
    };
    const scores = {
      requirement_adherence: 100,
      coordination_compliance: 100,
      code_quality: 80,
      pattern_consistency: 90,
      test_quality: 85,
      security_performance: 90,
    };
    // (3·100 + 3·100 + 2·80 + 2·90 + 2·85 + 90) / 13 = 92.3
    expect(new Play(policy).build().review(report({ scores })).state.verdict?.verdict.result).toBe("pass");
    const lower = { ...scores, security_performance: 80 };
    expect(new Play(policy).build().review(report({ scores: lower })).state.verdict?.verdict.result).toBe("fail");
    expect(POLICIES.scored.pass.scorecard.overallAtLeast).toBe(75);
  });

  test.for([
    { threshold: "critical", blocks: "critical" },
    { threshold: "high", blocks: "critical high" },
    { threshold: "medium", blocks: "critical high medium" },
    { threshold: "low", blocks: "critical high medium low" },
    { threshold: "info", blocks: "critical high medium low info" },
  ] as const)("pull-request with the threshold $threshold is kept back by $blocks", ({ threshold, blocks }) => {
    const policy = pullRequestWith({ maxIterations: 3, severityThreshold: threshold });
    const whereAfter = (severity: Severity) =>
      new Play(policy).build().review(report({ findings: [finding({ severity })] })).where;
    const kept = (["critical", "high", "medium", "low", "info"] as const).filter(
      (one) => whereAfter(one) !== "opening-pr",
    );
    expect(kept.join(" ")).toBe(blocks);
    for (const severity of kept) expect(whereAfter(severity)).toBe("fixing");
  });
});

describe("row: a rejection for less than what blocks", () => {
  test.for([
    { policy: "gate", mildRejection: "blocks", where: "fixing" },
    { policy: "pull-request", mildRejection: "passes", where: "opening-pr" },
    { policy: "scored", mildRejection: "blocks", where: "fixing" },
    { policy: "adversarial", mildRejection: "blocks", where: "fixing" },
    { policy: "advisory", mildRejection: "blocks", where: "fixing" },
  ] as const)("$policy: $mildRejection → $where", ({ policy, mildRejection, where }) => {
    expect(POLICIES[policy].pass.mildRejection).toBe(mildRejection);
    const answer = report({ claim: "fail", findings: [finding({ severity: "info" })] });
    expect(new Play(POLICIES[policy]).build().review(answer).where).toBe(where);
  });

  test("a policy of a user's own that says nothing of it blocks", () => {
    const { mildRejection: _, ...pass } = POLICIES["pull-request"].pass;
    expect(Policy.parse({ ...POLICIES["pull-request"], pass }).pass.mildRejection).toBe("blocks");
  });
});

describe("row: contract", () => {
  test.for([
    { policy: "gate", contract: "decision-text" },
    { policy: "pull-request", contract: "verdict-json" },
    { policy: "scored", contract: "scorecard-json" },
    { policy: "adversarial", contract: "findings-document" },
    { policy: "advisory", contract: "issue-lines" },
  ] as const)("the reviewer of $policy answers in $contract", ({ policy, contract }) => {
    expect(POLICIES[policy].reviewer.contract).toBe(contract);
  });
});

describe("row: fixer gets", () => {
  test.for([
    { policy: "gate", gets: ["all-reviews", "previous-agent-output", "open-findings"] },
    { policy: "pull-request", gets: ["issues-by-severity"] },
    { policy: "scored", gets: ["revision-context"] },
    { policy: "adversarial", gets: ["findings-document"] },
    { policy: "advisory", gets: ["issues"] },
  ] as const)("$policy hands its fixer $gets", ({ policy, gets }) => {
    expect(POLICIES[policy].fixer.gets).toEqual(gets);
  });
});

describe("row: rounds run out", () => {
  test.for([
    { policy: "gate", where: "waiting: rounds-exhausted", options: ["resume", "stop"] },
    { policy: "pull-request", where: "waiting: never-publish", options: ["refine", "take-over", "stop"] },
    { policy: "scored", where: "ended: failed" },
    { policy: "adversarial", where: "waiting: rounds-exhausted", options: ["take-over", "accept", "one-more", "stop"] },
    { policy: "advisory", where: "merging" },
  ] as const)("$policy with a critical finding left → $where", ({ policy, where, ...rest }) => {
    const play = failUntilOut(POLICIES[policy]);
    expect(play.where).toBe(where);
    if ("options" in rest) expect(play.state).toMatchObject({ options: rest.options });
  });

  test("pull-request opens the pull request anyway when what is left is not critical", () => {
    const play = new Play(POLICIES["pull-request"]).build();
    play.review(bad("high", 1)).mend().review(bad("high", 2)).mend().review(bad("high", 3));
    expect(play.where).toBe("opening-pr");
    expect(play.pr().where).toBe("awaiting-feedback");
  });

  test("gate: a person resumes into a new cycle; numbering goes on and the limit counts per cycle", () => {
    const play = failUntilOut(POLICIES.gate).signal("resume", "use the validator that exists");
    expect(play.state).toMatchObject({ stage: "fixing", cause: "person", notes: ["use the validator that exists"] });
    play.mend().review(bad("critical", 14)).mend().review(bad("critical", 15)).mend().review(bad("critical", 16));
    expect(play.where).toBe("waiting: rounds-exhausted");
    expect(play.state.rounds.map((round) => round.number)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test.for([
    { choice: "take-over", where: "ended: blocked" },
    { choice: "accept", where: "ended: accepted" },
    { choice: "one-more", where: "fixing" },
  ] as const)("adversarial: $choice → $where", ({ choice, where }) => {
    expect(failUntilOut(POLICIES.adversarial).signal(choice).where).toBe(where);
  });
});

describe("row: review breaks", () => {
  const broken = { status: "inconclusive", reason: "no decision in the answer" } as const;
  test.for([
    { policy: "gate", retries: 3, where: "waiting: review-broke" },
    { policy: "pull-request", retries: 3, where: "waiting: review-broke" },
    { policy: "scored", retries: 3, where: "waiting: review-broke" },
    { policy: "adversarial", retries: 3, where: "waiting: review-broke" },
    { policy: "advisory", retries: 0, where: "merging" },
  ] as const)("$policy retries $retries times, then $where; no round is spent", ({ policy, retries, where }) => {
    const play = new Play(POLICIES[policy]).build();
    for (let n = 0; n < retries; n++) expect(play.review(broken).where).toBe("reviewing");
    expect(play.review(broken).where).toBe(where);
    expect(play.state.rounds).toEqual([]);
    expect(play.state.cycle.reviews).toBe(0);
  });

  test("the pause before a retry doubles", () => {
    const play = new Play(POLICIES.gate).build();
    const pauses = [1, 2, 3].map(() => (play.review(broken).state.notBefore ?? 0) - play.state.lastAt);
    expect(pauses).toEqual([5_000, 10_000, 20_000]);
  });

  test("a broken review counts the same whether it crashed or answered nonsense, and a good one clears the count", () => {
    const play = new Play(POLICIES.gate).build().breaks().review(broken).breaks().review(bad("critical", 1));
    expect(play.state).toMatchObject({ stage: "fixing", breaks: 0 });
  });
});

describe("row: passing leads to", () => {
  test.for([
    { policy: "gate", where: "ended: passed" },
    { policy: "pull-request", where: "opening-pr" },
    { policy: "scored", where: "ended: passed" },
    { policy: "adversarial", where: "opening-pr" },
    { policy: "advisory", where: "merging" },
  ] as const)("$policy → $where", ({ policy, where }) => {
    expect(new Play(POLICIES[policy]).build().review(clean).where).toBe(where);
  });

  test("gate with skipTests waits for approval by hand", () => {
    const play = new Play(POLICIES.gate, { needsApproval: true }).build().review(clean);
    expect(play.where).toBe("waiting: approval");
    expect(play.signal("approve").where).toBe("ended: passed");
  });

  test("gate with a reviewer that does not judge requirements waits for a person, marked as such", () => {
    const play = new Play(POLICIES.gate).build().review(report({ claim: null }), { requirementsJudged: false });
    expect(play.where).toBe("waiting: requirements-not-judged");
  });

  test("scored with a reviewer that gives no scores is inconclusive, never a pass", () => {
    const { scores: _, ...unscored } = clean;
    expect(new Play(POLICIES.scored).build().review(unscored).where).toBe("reviewing");
  });

  test("pull-request: PR → feedback → addressed → ready for human → approved → merged", () => {
    const play = new Play(POLICIES["pull-request"]).build().review(clean).pr();
    expect(play.where).toBe("awaiting-feedback");
    play.feedback({ report: report({ findings: [finding({ severity: "high" })] }) });
    expect(play.state).toMatchObject({ stage: "fixing", cause: "feedback" });
    expect(play.mend().review(clean).where).toBe("opening-pr");
    expect(play.pr().where).toBe("waiting: ready-for-human");
    expect(play.signal("approve").where).toBe("merging");
    expect(play.merged().where).toBe("ended: merged");
  });

  test("adversarial ends when its pull request is open; without a forge it ends where it stands", () => {
    expect(new Play(POLICIES.adversarial).build().review(clean).pr().where).toBe("ended: passed");
    const play = new Play(POLICIES.adversarial).build().review(clean);
    expect(play.feed({ type: "delivery-skipped", at: 99_000, reason: "no forge" }).where).toBe("ended: passed");
  });
});

describe("row: push", () => {
  test.for([
    { policy: "gate", push: "never" },
    { policy: "pull-request", push: "with-pr" },
    { policy: "scored", push: "never" },
    { policy: "adversarial", push: "with-pr" },
    { policy: "advisory", push: "never" },
  ] as const)("$policy pushes: $push", ({ policy, push }) => {
    expect(POLICIES[policy].push).toBe(push);
  });

  test.for(names)("%s reaches no publishing stage before a review has been made", (name) => {
    const stages = new Set<string>();
    const play = new Play(POLICIES[name]);
    for (const step of [() => play.implement(), () => play.validate(), () => play.commit()])
      stages.add(step().state.stage);
    expect([...stages]).toEqual(["validating", "committing", "reviewing"]);
  });
});

describe("time limits", () => {
  test.for([
    { policy: "scored", timeoutMs: 120_000 },
    { policy: "advisory", timeoutMs: 300_000 },
  ] as const)("$policy gives a review $timeoutMs ms", ({ policy, timeoutMs }) => {
    expect(POLICIES[policy].reviewer.timeoutMs).toBe(timeoutMs);
  });
});
