import type { Stray } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { bad, clean, Play, report } from "../testing/build.ts";

const stray: Stray = {
  fingerprint: "5".repeat(32),
  finding: {
    rule: "fix-out-of-scope",
    category: "security",
    severity: "critical",
    title: "The fix of round 1 changes ci.yml (CI), which no finding names",
    description: "",
    file: "ci.yml",
  },
  strayed: { path: "ci.yml", from: "c1" },
};
const word = { type: "finding-disposed", at: 9, id: "d1", fingerprint: stray.fingerprint, by: "ada" } as const;
const ruled = (ruling: "fixed" | "open" | "refuted") =>
  report({ rulings: [...RULED, { fingerprint: stray.fingerprint, ruling, evidence: "It was asked for." }] });
const RULED = [{ fingerprint: "", ruling: "fixed" as const, evidence: "Mended." }];

type Name = keyof typeof POLICIES;

/** A loop whose first fix touched CI, about to be reviewed again. */
function strayed(policy: Name): Play {
  const play = new Play(POLICIES[policy]).build().review(bad()).fix().validate();
  const [first] = play.state.findings;
  RULED[0] = { fingerprint: first?.fingerprint ?? "", ruling: "fixed", evidence: "Mended." };
  return play.feed({ type: "committed", at: 8, head: "c2", regions: [], scope: { strays: [stray] } });
}

const standing = ({ state }: Play) =>
  state.findings.find(({ fingerprint }) => fingerprint === stray.fingerprint)?.disposition.kind;

const CARRIED = ["gate", "pull-request", "scored"] as const;
const PASSED = {
  gate: "ended: passed",
  "pull-request": "opening-pr",
  scored: "ended: passed",
  adversarial: "opening-pr",
};

describe("a fix that left its scope", () => {
  test.for([...CARRIED, "adversarial"] as const)("holds back what a review of %s lets through", (policy) => {
    const play = strayed(policy).review(report({ rulings: RULED }));
    expect(play.where).toBe("fixing");
    expect(play.state.verdict?.verdict).toMatchObject({ result: "fail", blocking: [stray.finding], approved: true });
    expect(standing(play)).toBe("open");
  });

  test("is shown to every gate, again and again, though a fresh reviewer says nothing of it", () => {
    const play = strayed("adversarial").review(clean).mend().review(clean);
    expect(play.where).toBe("waiting: rounds-exhausted");
    expect(play.state.rounds.map(({ verdict }) => verdict.result)).toEqual(["fail", "fail", "fail"]);
  });

  test("is not made less of by what a fresh reviewer says about the same file", () => {
    const mild = { ...stray.finding, severity: "low", title: stray.finding.title } as const;
    const play = strayed("adversarial").review(report({ findings: [mild] }));
    expect(play.where).toBe("fixing");
    expect(standing(play)).toBe("open");
  });

  test.for(CARRIED.flatMap((policy) => (["fixed", "refuted"] as const).map((ruling) => ({ policy, ruling }))))(
    "goes on under $policy once its reviewer rules that it is $ruling",
    ({ policy, ruling }) => {
      const play = strayed(policy).review(ruled(ruling));
      expect(play.where).toBe(PASSED[policy]);
      expect(standing(play)).toBe(ruling);
    },
  );

  test("stays where the reviewer rules that it is open", () => {
    expect(strayed("gate").review(ruled("open")).where).toBe("fixing");
  });

  test.for([...CARRIED, "adversarial"] as const)("goes on under %s once a later fix takes it back", (policy) => {
    const play = strayed(policy)
      .review(report({ rulings: RULED }))
      .fix()
      .validate();
    play.feed({ type: "committed", at: 8, head: "c3", regions: [], scope: { takenBack: [stray.fingerprint] } });
    expect(standing(play)).toBe("fixed");
    expect(play.review(report({ rulings: RULED })).where).toBe(PASSED[policy]);
  });

  test.for(
    ([...CARRIED, "adversarial"] as const).flatMap((policy) =>
      (["dismissed", "accepted-risk"] as const).map((disposition) => ({ policy, disposition })),
    ),
  )("goes on under $policy once a person calls it $disposition", ({ policy, disposition }) => {
    const play = strayed(policy).feed({ ...word, disposition, reason: "It was time." });
    expect(play.review(report({ rulings: RULED })).where).toBe(PASSED[policy]);
    expect(standing(play)).toBe(disposition);
  });

  test("that a person has agreed to is no new finding with the same content, and is one with other content", () => {
    const play = strayed("gate").feed({ ...word, disposition: "dismissed", reason: "It was time." });
    play.review(bad()).fix().validate();
    const other = { ...stray, fingerprint: "6".repeat(32) };
    play.feed({ type: "committed", at: 8, head: "c3", regions: [], scope: { strays: [stray, other] } });
    expect(play.state.findings.map(({ disposition }) => disposition.kind)).toEqual(["open", "dismissed", "open"]);
  });

  test("is not pushed where no review is left for it", () => {
    const policy = POLICIES["pull-request"];
    const play = new Play({ ...policy, limits: { ...policy.limits, reviews: 1, fixes: 1 } }).build();
    play.review(bad("high")).fix().validate();
    play.feed({ type: "committed", at: 8, head: "c2", regions: [], scope: { strays: [stray] } });
    expect(play.where).toBe("waiting: never-publish");
  });

  test("does not keep the advisory merge, and is listed with it", () => {
    const play = strayed("advisory");
    expect(play.where).toBe("merging");
    expect(standing(play)).toBe("open");
  });

  test("is blamed on the fix", () => {
    const found = strayed("gate").state.findings.find(({ fingerprint }) => fingerprint === stray.fingerprint);
    expect(found).toMatchObject({ origin: { kind: "fix", round: 1 }, firstRound: 1, lifecycle: "new" });
  });
});
