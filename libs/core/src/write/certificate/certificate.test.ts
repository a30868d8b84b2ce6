import type { BoundChecks, Finding } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../../policies/index.ts";
import { bad, clean, finding, Play, report } from "../../testing/build.ts";
import { certificate, policyHash } from "./certificate.ts";

function certified(play: Play, branchHead: string | null = play.state.head) {
  return certificate({ events: play.log, state: play.state, title: "Topic", branch: "topic", branchHead, secrets: [] });
}

describe("a certificate", () => {
  test("of a fixed change tells base, head, policy, rounds, findings, reviewers and verdict", () => {
    const play = new Play(POLICIES.gate).build().review(bad()).mend().review(clean);
    expect(certified(play)).toMatchObject({
      schemaVersion: 1,
      item: { kind: "branch", id: "topic", title: "Topic" },
      loop: "l1",
      base: "base",
      head: "c2",
      holds: true,
      verdict: { result: "pass", requirementsJudged: true },
      stage: "ended",
      outcome: "passed",
      policy: { name: "gate", because: "test" },
      reviewers: [{ agent: "scripted", model: null, provider: null }],
      rounds: [
        { number: 1, head: "c1", verdict: "fail", findings: { critical: 1, high: 0, medium: 0, low: 0, info: 0 } },
        { number: 2, head: "c2", verdict: "pass", findings: { critical: 0 } },
      ],
      findings: [{ severity: "critical", lifecycle: "resolved", disposition: { kind: "fixed", commit: "c2" } }],
      decisions: [],
    });
  });

  test.for([
    { what: "a pass that judged the requirements", judged: true, is: [] },
    {
      what: "a pass that did not",
      judged: false,
      is: ["requirements not judged: nobody checked whether the change does what was asked"],
    },
  ])("begins with what was not judged: $what", ({ judged, is }) => {
    const play = new Play(POLICIES.adversarial).build().review(clean, { requirementsJudged: judged });
    const [first] = Object.entries(certified(play) ?? {});
    expect(first).toEqual(["notJudged", is]);
  });

  describe("says what it was checked by besides, and what that came to", () => {
    const tested = { testCommand: "npm test" };
    const untested = { testCommand: null };
    const begun = (checks?: BoundChecks) => new Play(POLICIES.gate, checks === undefined ? {} : { checks }).implement();
    test.for([
      { what: "checks that pass", play: () => begun(tested).validate(), is: { ...tested, result: "passed" } },
      { what: "checks that fail", play: () => begun(tested).validate("failed"), is: { ...tested, result: "failed" } },
      { what: "no run yet", play: () => begun(tested), is: { ...tested, result: "not-run" } },
      {
        what: "none configured",
        play: () => begun(untested).validate("not-configured"),
        is: { ...untested, result: "not-configured" },
      },
      {
        what: "none configured for a branch that passes as it is",
        play: () => new Play(POLICIES.gate, { head: "c1", checks: untested }).review(clean),
        is: { ...untested, result: "not-configured" },
      },
      { what: "commands of tasks only", play: () => begun(untested).validate(), is: { ...untested, result: "passed" } },
      { what: "a log that does not tell", play: () => begun(), is: { testCommand: null, result: "not-run" } },
    ])("$what", ({ play, is }) => expect(certified(play())?.checks).toEqual(is));
  });

  test("begins with what a person waived, and with nothing else that was not read", () => {
    const skipped = [
      { file: "lib", reason: 'submodule; waived by "lib"', excused: "waived" as const },
      { file: "logo.png", reason: "binary", excused: "asset" as const },
    ];
    const play = new Play(POLICIES.gate).build().review(clean, { coverage: { reviewed: ["a.js"], skipped } });
    expect(certified(play)).toMatchObject({
      notJudged: ['not read: lib (submodule; waived by "lib")'],
      coverage: { skipped },
      holds: true,
    });
  });

  test("keeps who of several reviewers saw a finding, and what the agent said that had to confirm it", () => {
    const report = bad();
    const verification = { by: "codex", result: "confirmed", evidence: "Line 3." } as const;
    const findings = report.findings.map((finding) => ({ ...finding, seenBy: ["claude", "builtin"], verification }));
    const play = new Play(POLICIES.gate).build().review({ ...report, findings });
    expect(certified(play)?.findings[0]).toMatchObject({ seenBy: ["claude", "builtin"], verification });
  });

  test("keeps what people decided, by whom and why", () => {
    const play = new Play(POLICIES.adversarial).build().review(bad());
    const { fingerprint } = play.state.findings[0]!;
    play.feed({
      type: "finding-disposed",
      at: 9,
      id: "d1",
      fingerprint,
      disposition: "deferred",
      by: "ada",
      reason: "Later.",
    });
    play.signal("stop", "Enough.");
    expect(certified(play)?.decisions).toEqual([
      { at: "1970-01-01T00:00:00.009Z", by: "ada", what: `deferred ${fingerprint}`, note: "Later." },
      expect.objectContaining({ by: "ada", what: "stop", note: "Enough." }),
    ]);
  });

  describe("lists what the change goes with", () => {
    const rule = (play: Play, at: number, disposition: "dismissed" | "accepted-risk" | "deferred") => {
      const { fingerprint } = play.state.findings[at]!;
      const word = { type: "finding-disposed", at: 9, id: `d${at}`, fingerprint, by: "ada", reason: "Known." } as const;
      return play.feed({ ...word, disposition });
    };
    const AT = "1970-01-01T00:00:00.009Z";

    test.for(["dismissed", "accepted-risk", "deferred"] as const)(
      "a finding that a person has %s in an earlier round, with who, when and why",
      (how) => {
        const play = new Play(POLICIES.gate).build().review(report({ claim: "fail", findings: [one(1), one(2)] }));
        rule(play, 0, how).mend().review(clean);
        expect(certified(play)?.accepted).toEqual([
          expect.objectContaining({ title: "Matter 1", severity: "high", how, by: "ada", reason: "Known.", at: AT }),
        ]);
      },
    );

    test("what is below the threshold, which nobody accepted but the policy", () => {
      const play = new Play(POLICIES.gate).build().review(report({ findings: [one(1, "low")] }));
      expect(certified(play)?.accepted).toMatchObject([
        {
          title: "Matter 1",
          how: "below-threshold",
          by: null,
          at: null,
          reason: expect.stringMatching(/^low, and gate blocks at /),
        },
      ]);
    });

    test("what nobody confirmed", () => {
      const verification = { by: "codex", result: "unconfirmed", evidence: "Not seen." } as const;
      const play = new Play(POLICIES["pull-request"])
        .build()
        .review(report({ findings: [{ ...one(1), verification }] }));
      expect(certified(play)?.accepted).toMatchObject([
        { how: "not-confirmed", by: "codex", at: null, reason: "Not seen." },
      ]);
    });

    test("what was open when a person accepted the change as it is", () => {
      const play = new Play(POLICIES.adversarial).build().review(bad()).mend().review(bad("high", 2)).mend();
      play.review(report({ claim: "fail", findings: [one(3), one(4, "low")] })).signal("accept", "Good enough.");
      expect(certified(play)?.accepted).toMatchObject([
        { title: "Matter 3", how: "with-the-change", by: "ada", reason: "Good enough.", at: expect.any(String) },
        { title: "Matter 4", how: "with-the-change", by: "ada", reason: "Good enough." },
      ]);
    });

    test("and neither what is fixed nor what still blocks", () => {
      const fixed = new Play(POLICIES.gate).build().review(bad()).mend().review(clean);
      expect(certified(fixed)?.accepted).toEqual([]);
      expect(certified(new Play(POLICIES.gate).build().review(bad()))?.accepted).toEqual([]);
    });

    function one(n: number, severity: Finding["severity"] = "high"): Finding {
      return finding({ title: `Matter ${n}`, severity, snippet: `matter(${n});`, line: n });
    }
  });

  test.for([
    {
      what: "no review has a verdict",
      play: () => new Play(POLICIES.gate).build(),
      reason: "no review gave a verdict",
    },
    {
      what: "the last fix was not reviewed",
      play: () => new Play(POLICIES.gate).build().review(bad()).mend(),
      reason: "the last change was not reviewed",
    },
    {
      what: "the branch has moved on",
      play: () => new Play(POLICIES.gate).build().review(clean),
      branchHead: "somebody else's",
      reason: "the branch has moved since the review",
    },
  ])("does not hold and is inconclusive where $what", ({ play, branchHead, reason }) => {
    expect(certified(play(), branchHead)).toMatchObject({ holds: false, verdict: { result: "inconclusive", reason } });
  });

  test("is about what was merged, and passes nothing where that is not what was reviewed", () => {
    const open = () => new Play(POLICIES["pull-request"]).build().review(clean).pr();
    expect(certified(open().feedback({ state: "merged" }))).toMatchObject({ head: "c1", holds: true });
    expect(certified(open().feedback({ state: "merged", head: "theirs" }), "c1")).toMatchObject({
      head: "theirs",
      holds: false,
      outcome: "merged",
      detail: expect.stringContaining("NOT REVIEWED"),
      verdict: { result: "inconclusive", reason: "the merged head is not c1, the last reviewed commit" },
    });
  });

  test("names the commit that adds the findings documents, on which the verdict about the head below still holds", () => {
    const play = new Play(POLICIES.adversarial, { documents: "due" }).build().review(clean).commit().pr();
    expect(certified(play, "c2")).toMatchObject({ head: "c1", documents: "c2", holds: true });
    expect(certified(play, "c1")).toMatchObject({ head: "c1", documents: "c2", holds: true });
    expect(certified(play, "c3")).toMatchObject({ holds: false, verdict: { result: "inconclusive" } });
  });

  test("of an accepted change says fail: a person's word ends a loop but passes nothing", () => {
    const play = new Play(POLICIES.adversarial).build().review(bad()).mend().review(bad("high", 2)).mend();
    play.review(bad("high", 3)).signal("accept");
    expect(certified(play)).toMatchObject({ holds: false, outcome: "accepted", verdict: { result: "fail" } });
  });

  test("of requirements that nobody judged holds only once a person has approved", () => {
    const play = new Play(POLICIES.gate).build().review(clean, { requirementsJudged: false });
    expect(certified(play)).toMatchObject({ holds: false, verdict: { result: "pass", requirementsJudged: false } });
    expect(certified(play.signal("approve"))).toMatchObject({ holds: true, outcome: "passed" });
  });

  test("adds up what every run used, over all cycles", () => {
    const play = new Play(POLICIES.gate).build();
    play.review(clean, { usage: { inputTokens: 5, outputTokens: 7, costUsd: 0.5 } });
    expect(certified(play)?.usage).toEqual({ tokens: 12, costUsd: 0.5 });
  });

  test("is null for a log without a beginning", () => {
    const { state } = new Play(POLICIES.gate);
    expect(certificate({ events: [], state, title: "", branch: null, branchHead: null, secrets: [] })).toBeNull();
  });
});

test("the hash of a policy is that of its rules, whatever the order of its keys", () => {
  const { gate } = POLICIES;
  const reversed = Object.fromEntries(Object.entries(gate).reverse()) as unknown as typeof gate;
  expect(policyHash(reversed)).toBe(policyHash(gate));
  expect(policyHash({ ...gate, limits: { ...gate.limits, reviews: 4 } })).not.toBe(policyHash(gate));
});
