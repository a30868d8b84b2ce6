import type { ReviewAnswer, Reviewer } from "@anneal/adapters";
import { POLICIES } from "@anneal/core";
import type { CompleteReport, Finding } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { AgentFailed } from "../../errors/errors.ts";
import { review } from "../review.ts";
import { ensembleReviewer } from "./ensemble.ts";
import { withChange } from "./testing/reviewed.ts";

const at = (line: number, more: Partial<Finding> = {}): Finding => ({
  category: "logic",
  severity: "medium",
  title: "Off by one",
  description: "The last entry is never read.",
  file: "a.ts",
  line,
  ...more,
});

function member(name: string, report: Partial<CompleteReport>, more: Partial<ReviewAnswer & Reviewer> = {}): Reviewer {
  const whole: CompleteReport = {
    status: "complete",
    claim: "pass",
    findings: [],
    summary: "Fine.",
    rulings: [],
    notes: [],
    ...report,
  };
  const { coverage = { reviewed: ["a.ts"], skipped: [] }, usage = { inputTokens: 5 }, requirements = "judged" } = more;
  return { name, requirements, review: async () => ({ report: whole, coverage, usage, ...more }) };
}

const broken = (
  name: string,
  error: Error = new AgentFailed("no network", { usage: { inputTokens: 3 } }),
): Reviewer => ({
  name,
  requirements: "judged",
  review: () => Promise.reject(error),
});

const FILE = "one();\ntwo();\nthree();\nfour();\nfive();\nsix();\nseven();\n";

async function answerOf(reviewers: Reviewer[], quorum?: number, signal = new AbortController().signal) {
  return await withChange({ "b.ts": "" }, { "a.ts": FILE }, (change) =>
    ensembleReviewer(reviewers, { quorum }).review(change, signal),
  );
}

describe("several reviewers at once", () => {
  test("report what any of them found, once, with who saw it, and together have all their names", async () => {
    const claude = member("claude", { findings: [at(2), at(6, { title: "Slow", description: "Reads twice." })] });
    const codex = member("codex", {
      claim: "fail",
      findings: [at(2, { severity: "high", title: "Last entry unread" })],
    });
    const { report, usage, looks } = await answerOf([claude, codex]);
    expect(report).toMatchObject({
      claim: "fail",
      summary: "claude: Fine.\n\ncodex: Fine.",
      findings: [
        { line: 2, severity: "high", seenBy: ["claude", "codex"], snippet: "two();" },
        { line: 6, severity: "medium", seenBy: ["claude"] },
      ],
    });
    expect(usage).toEqual({ inputTokens: 10 });
    expect(looks).toMatchObject([
      {
        agent: "claude",
        as: "claude",
        claim: "pass",
        findings: [{ became: 0, score: expect.any(Number) }, { became: 1 }],
      },
      {
        agent: "codex",
        as: "codex",
        claim: "fail",
        findings: [{ became: 0, finding: { title: "Last entry unread" } }],
      },
    ]);
    expect(looks?.[0]?.findings[1]).not.toHaveProperty("score");
    expect(ensembleReviewer([claude, codex]).name).toBe("claude+codex");
    expect(ensembleReviewer([claude, claude]).name).toBe("claude+claude-2");
  });

  test("run at the same time", async () => {
    let begun = 0;
    const meet = Promise.withResolvers<void>();
    const waiting = (name: string): Reviewer => {
      const whole = member(name, {});
      return {
        ...whole,
        review: async (change, signal) => {
          if (++begun === 2) meet.resolve();
          await meet.promise;
          return await whole.review(change, signal);
        },
      };
    };
    expect((await answerOf([waiting("a"), waiting("b")])).report.status).toBe("complete");
  });

  test.for([
    { claims: ["pass", "pass"], merged: "pass" },
    { claims: ["pass", "fail"], merged: "fail" },
    { claims: ["pass", null], merged: null },
  ] as const)("claims $claims make $merged", async ({ claims, merged }) => {
    const { report } = await answerOf(claims.map((claim, n) => member(`r${n}`, { claim })));
    expect(report).toMatchObject({ claim: merged });
  });

  test("one that judges no requirements leaves the decision to those that do", async () => {
    const builtin = member("builtin", { claim: null }, { requirements: "not-judged" });
    expect((await answerOf([member("claude", {}), builtin])).report).toMatchObject({ claim: "pass" });
    expect(ensembleReviewer([builtin]).requirements).toBe("not-judged");
  });

  test("the lowest scores count, and the stricter ruling", async () => {
    const ruling = (word: "open" | "fixed") => [{ fingerprint: "f", ruling: word }];
    const { report } = await answerOf([
      member("a", { scores: { x: 90 }, rulings: ruling("fixed") }),
      member("b", { scores: { x: 70 }, rulings: ruling("open") }),
    ]);
    expect(report).toMatchObject({ scores: { x: 70 }, rulings: [{ ruling: "open" }] });
  });

  test("a file is covered where somebody saw it, and who did not is noted", async () => {
    const skipped = [
      { file: "a.ts", reason: "too large" },
      { file: "c.bin", reason: "binary" },
    ];
    const { report, coverage } = await answerOf([
      member("a", {}),
      member("b", {}, { coverage: { reviewed: [], skipped } }),
    ]);
    expect(coverage).toEqual({ reviewed: ["a.ts"], skipped: [{ file: "c.bin", reason: "binary" }] });
    expect(report).toMatchObject({ notes: ["b did not see a.ts: too large"] });
  });
});

describe("a member that breaks", () => {
  test("makes the review inconclusive; what all of them used counts", async () => {
    const { report, usage } = await answerOf([member("a", {}), broken("b")]);
    expect(report).toEqual({ status: "inconclusive", reason: "b: no network" });
    expect(usage).toEqual({ inputTokens: 8 });
  });

  test("does not where a quorum is reached, and is noted", async () => {
    const { report } = await answerOf([member("a", {}), broken("b")], 1);
    expect(report).toMatchObject({ status: "complete", notes: ["b returned no report: no network"] });
    expect((await answerOf([member("a", {}), broken("b"), broken("c")], 2)).report).toMatchObject({
      reason: "1 of 2 reviewers returned a report; b: no network; c: no network",
    });
  });

  test("by changing the repository spoils everything, whatever the quorum", async () => {
    const report = { status: "inconclusive", reason: "tampered: a.ts" } as const;
    const bad: Reviewer = {
      ...member("b", {}),
      review: async () => ({ report, coverage: { reviewed: [], skipped: [] }, usage: {}, tampered: true }),
    };
    expect(await answerOf([member("a", {}), bad], 1)).toMatchObject({
      report: { status: "inconclusive" },
      tampered: true,
    });
  });

  test("for good is not asked again where the others cannot make up the number", async () => {
    const gone = broken("b", new AgentFailed("not installed", { usage: {}, lasting: true }));
    expect(await answerOf([member("a", {}), gone])).toMatchObject({ lasting: true });
    expect(await answerOf([member("a", {}), broken("b")])).not.toHaveProperty("lasting");
  });

  test("because a person stopped it says nothing", async () => {
    await expect(answerOf([broken("b")], 1, AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
  });
});

test.for([
  [0, "at least one"],
  [3, "quorum of 3"],
] as const)("a quorum that cannot be reached is refused: %i", ([quorum, words]) => {
  const members = quorum === 0 ? [] : [member("a", {}), member("b", {})];
  expect(() => ensembleReviewer(members, { quorum })).toThrow(words);
});

test("who saw what is in the output of a review", async () => {
  const reviewer = ensembleReviewer([member("a", { findings: [at(2)] }), member("b", {})]);
  const output = await withChange({ "b.ts": "" }, { "a.ts": FILE }, (change) =>
    review({
      change,
      policy: POLICIES.adversarial,
      reviewer,
      clock: { now: () => 1, sleep: async () => {} },
      signal: new AbortController().signal,
    }),
  );
  expect(output).toMatchObject({ verdict: "fail", reviewer: { agent: "a+b" }, findings: [{ seenBy: ["a"] }] });
});
