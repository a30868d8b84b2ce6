import type { LoopEvent } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { bad, clean, finding, Play, report } from "../testing/build.ts";

type Disposition = Extract<LoopEvent, { type: "finding-disposed" }>["disposition"];

function rule(play: Play, disposition: Disposition, at = 0): Play {
  const fingerprint = play.state.findings[at]?.fingerprint ?? "none";
  const id = `d${play.log.length}`;
  return play.feed({ type: "finding-disposed", at: 1, id, fingerprint, disposition, by: "ada", reason: "known" });
}

const standing = ({ state }: Play) => ({ standing: state.findings.map(({ fingerprint }) => fingerprint) });

describe("a fresh review that does not name an earlier finding", () => {
  test.for(["critical", "high", "medium"] as const)("closes a %s one, though its code still stands", (severity) => {
    const play = new Play(POLICIES.adversarial, { documents: "due" }).build().review(bad(severity)).mend();
    play.review(report({ claim: null }), standing(play));
    expect(play.state).toMatchObject({ stage: "committing", of: "documents" });
    expect(play.state.findings[0]).toMatchObject({
      lifecycle: "resolved",
      disposition: { kind: "passed-over", head: "c2" },
    });
    expect(play.commit().where).toBe("opening-pr");
  });

  test("reopens it when it names it again, and that is no regression", () => {
    const play = new Play(POLICIES.adversarial).build().review(bad("critical", 1)).mend();
    play.review(bad("critical", 2), standing(play)).mend().review(bad("critical", 1));
    expect(play.state.findings[0]).toMatchObject({ lifecycle: "persisting", disposition: { kind: "open" } });
    expect(play.where).toBe("waiting: rounds-exhausted");
  });

  test("closes nothing where earlier findings are carried", () => {
    const play = new Play(POLICIES["pull-request"]).build().review(bad()).mend();
    play.review(clean, standing(play));
    expect(play.state.findings[0]).toMatchObject({ disposition: { kind: "open" } });
    expect(play.where).toBe("fixing");
  });
});

describe("a person's ruling on the finding that a loop waits for", () => {
  const exhausted = (policy: keyof typeof POLICIES, options = {}) =>
    new Play(POLICIES[policy], options).build().review(bad("critical", 1)).mend().review(bad("critical", 1)).mend();

  test.for([
    { policy: "adversarial", disposition: "dismissed", where: "opening-pr" },
    { policy: "adversarial", disposition: "accepted-risk", where: "opening-pr" },
    { policy: "adversarial", disposition: "deferred", where: "waiting: never-publish" },
    { policy: "gate", disposition: "deferred", where: "ended: passed" },
    { policy: "gate", disposition: "dismissed", where: "ended: passed" },
    { policy: "pull-request", disposition: "dismissed", where: "opening-pr" },
  ] as const)("$policy, $disposition: judges it anew at once → $where", ({ policy, disposition, where }) => {
    const play = exhausted(policy).review(bad("critical", 1));
    expect(play.state.stage).toBe("waiting-for-human");
    expect(rule(play, disposition).where).toBe(where);
  });

  test("puts a critical one off, which settles nothing: it is published once somebody takes its risk", () => {
    const play = rule(exhausted("adversarial").review(bad("critical", 1)), "deferred");
    const { detail } = play.state as { detail: string };
    expect(detail).toMatch(
      /^not pushed while these findings are open: .* \(deferred; use accept-risk to publish it\)$/,
    );
    expect(play.state.verdict?.verdict.reason).toBe("no open finding at or above medium; 1 deferred by a person");
    expect(rule(play, "accepted-risk").where).toBe("opening-pr");
  });

  test("commits the documents first where there are some", () => {
    const play = exhausted("adversarial", { documents: "due" }).review(bad("critical", 1));
    expect(rule(play, "dismissed").state).toMatchObject({ stage: "committing", of: "documents" });
  });

  test("leads nowhere while another one blocks", () => {
    const two = report({ claim: "fail", findings: [1, 2].map((n) => finding({ snippet: `broken(${n});`, line: n })) });
    const play = exhausted("adversarial").review(two);
    expect(rule(play, "dismissed").where).toBe("waiting: rounds-exhausted");
    const other = play.state.findings.findIndex(({ disposition }) => disposition.kind === "open");
    expect(rule(play, "dismissed", other).where).toBe("opening-pr");
  });

  test("publishes what the rounds ran out on, where only that had to be kept back", () => {
    const findings = [
      finding({ severity: "critical", snippet: "broken(1);" }),
      finding({ severity: "high", snippet: "odd();", line: 2 }),
    ];
    const play = exhausted("pull-request").review(report({ claim: "fail", findings }));
    expect(play.where).toBe("waiting: never-publish");
    const grave = play.state.findings.findIndex(({ finding: { severity } }) => severity === "critical");
    expect(rule(play, "accepted-risk", grave).state).toMatchObject({ stage: "opening-pr", draft: false });
  });

  test("makes more than a draft of a skipped review where nothing is left that blocks", () => {
    const play = new Play(POLICIES["pull-request"]).build().review(bad()).signal("skip");
    expect(play.where).toBe("waiting: never-publish");
    expect(rule(play, "dismissed").state).toMatchObject({ stage: "opening-pr", draft: false });
  });

  test("changes nothing about a wait that is not about findings, nor when it opens one again", () => {
    const paused = new Play(POLICIES.gate).build().review(bad()).signal("pause");
    expect(rule(paused, "dismissed").where).toBe("waiting: paused");
    const play = exhausted("adversarial").review(bad("critical", 1));
    expect(rule(play, "open").where).toBe("waiting: rounds-exhausted");
  });
});

describe("a ruling on the last blocker of an answer that is not signed off", () => {
  const unsigned = { ...bad("critical", 1), signedOff: false as const };
  const stuck = (policy: keyof typeof POLICIES) => {
    const play = new Play(POLICIES[policy]).build();
    while (play.where !== "waiting: rounds-exhausted") if (play.review(unsigned).where === "fixing") play.mend();
    return play;
  };

  test.for(["dismissed", "accepted-risk"] as const)("%s: reviews the same head once more", (disposition) => {
    for (const policy of ["gate", "adversarial"] as const) {
      const play = stuck(policy);
      const { head } = play.state;
      expect(rule(play, disposition).state).toMatchObject({ stage: "reviewing", head });
      expect(play.review(clean).where).toBe(policy === "gate" ? "ended: passed" : "opening-pr");
    }
  });

  test("waits for a person again where that look finds something else, without a fix", () => {
    const play = rule(stuck("gate"), "dismissed");
    expect(play.review({ ...bad("critical", 2), signedOff: false }).where).toBe("waiting: rounds-exhausted");
  });

  test("does not pass where that look rejects it again, and leaves a person what could be done before", () => {
    const play = rule(stuck("adversarial"), "dismissed");
    for (let tries = 0; play.state.stage === "reviewing" && tries < 9; tries++) play.review(unsigned);
    expect(play.state).toMatchObject({
      reason: "review-broke",
      detail: "what blocked was set aside, but nobody approves the rest: the review is not signed off",
      options: ["retry", "take-over", "accept", "one-more", "stop"],
    });
    expect(play.signal("accept").where).toBe("ended: accepted");
  });

  test("gets no look beyond the hard cap: it waits, and a person can accept it", () => {
    const play = stuck("adversarial").signal("one-more").mend().review(unsigned);
    play.signal("one-more").mend().review(unsigned);
    expect(rule(play, "dismissed").where).toBe("waiting: rounds-exhausted");
    expect(play.state.verdict?.verdict.result).toBe("inconclusive");
    expect(play.signal("accept").where).toBe("ended: accepted");
  });

  test("makes no more than a draft of a skipped review", () => {
    const play = new Play(POLICIES["pull-request"]).build().review(unsigned).signal("skip");
    expect(rule(play, "dismissed").state).toMatchObject({ stage: "opening-pr", draft: true });
  });
});
