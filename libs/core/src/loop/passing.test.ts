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
