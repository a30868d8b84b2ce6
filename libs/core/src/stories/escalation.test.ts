import { readFileSync } from "node:fs";
import type { Severity } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { lastRound } from "../loop/rounds.ts";
import { POLICIES } from "../policies/index.ts";
import { clean } from "../testing/build.ts";
import { choose, countFindings, decide, escalation, storyStatus } from "./index.ts";
import { adversarial, exhausted, found, story } from "./testing/rounds.ts";

const golden = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8");

describe("the decision matrix of seed 003", () => {
  test.for([
    { mustFix: 0, round: 1, action: "clean" },
    { mustFix: 0, round: 2, action: "clean" },
    { mustFix: 0, round: 3, action: "clean" },
    { mustFix: 1, round: 1, action: "fix" },
    { mustFix: 7, round: 2, action: "fix" },
    { mustFix: 1, round: 3, action: "escalate" },
    { mustFix: 9, round: 3, action: "escalate" },
  ] as const)("$mustFix to fix in round $round → $action", ({ mustFix, round, action }) => {
    expect(decide({ mustFix, round, limit: 3 })).toBe(action);
    const play = adversarial().build();
    for (let n = 1; n < round; n++) play.review(found(n, "high")).mend();
    play.review(found(round, ...Array.from({ length: mustFix }, (): Severity => "medium"), "low"));
    const stage = { clean: "opening-pr", fix: "fixing", escalate: "waiting-for-human" } as const;
    expect(play.state.stage).toBe(stage[action]);
    expect(lastRound(POLICIES.adversarial, play.state)).toBe(3);
  });

  test("a person's one more round raises the limit by one, and never past five", () => {
    const play = exhausted("high");
    const limits = [lastRound(play.policy, play.state)];
    for (let round = 4; round <= 6; round++) {
      play.signal("one-more").mend().review(found(round, "high"));
      limits.push(lastRound(play.policy, play.state));
    }
    expect(limits).toEqual([3, 4, 5, 5]);
    expect(play.state.rounds).toHaveLength(5);
    const { cycle } = play.state;
    const resumed = { ...play.state, cycle: { ...cycle, reviews: 0, granted: 0 } };
    expect(lastRound(play.policy, resumed)).toBe(5);
  });

  test("findings are counted by the classes of the seed", () => {
    const findings = (["critical", "high", "medium", "low", "info", "info"] as const).map((severity) => ({ severity }));
    expect(countFindings(findings)).toEqual({ critical: 1, important: 2, minor: 3 });
  });
});

describe("the escalation", () => {
  test("has the counts, the document and the three choices exactly as the seed writes them", () => {
    const { state } = exhausted("critical", "high", "medium", "low");
    const asked = escalation(story, state);
    expect(`${asked?.text}\n`).toBe(golden("escalation.txt"));
    expect(asked?.counts).toEqual({ critical: 1, important: 2, minor: 1 });
    expect(asked?.waitsAt).toBe(".automaker/stories/2.1-D4/story-2.1-D4-review-findings-round-3.md");
  });

  test("counts each kind by itself", () => {
    const { state } = exhausted("critical", "critical", "critical", "high", "medium", "low");
    expect(escalation(story, state)?.text).toContain("- Critical: 3\n- Important: 2\n- Minor: 1\n");
  });

  test("after five rounds choice (c) is gone", () => {
    const play = exhausted("high");
    play.signal("one-more").mend().review(found(4, "high")).signal("one-more").mend().review(found(5, "high"));
    const asked = escalation(story, play.state);
    expect(asked?.choices.map(({ key }) => key)).toEqual(["a", "b"]);
    expect(asked?.text).toContain("After 5 review rounds, issues remain:\n");
    expect(asked?.text).toContain("story-2.1-D4-review-findings-round-5.md");
    expect(asked?.text).not.toContain("c)");
    expect(asked && choose(asked, "c")).toBeNull();
  });

  test.for([
    { typed: "a", signal: "take-over", status: "blocked" },
    { typed: "b", signal: "accept", status: "done" },
    { typed: "c", signal: "one-more", status: "in-progress" },
  ] as const)("$typed means $signal and makes the story $status", ({ typed, signal, status }) => {
    const play = exhausted("high");
    const asked = escalation(story, play.state);
    expect(asked && choose(asked, typed)).toBe(signal);
    expect(storyStatus(play.signal(signal).state)).toBe(status);
  });

  test.for([
    ["(B)", "accept"],
    [" c) ", "one-more"],
    ["A.", "take-over"],
    ["", null],
    ["d", null],
    ["ab", null],
    ["yes", null],
    ["a b", null],
  ] as const)("the answer %j is read as %s", ([answer, signal]) => {
    const asked = escalation(story, exhausted("high").state);
    expect(asked && choose(asked, answer)).toBe(signal);
  });

  test("what a person has dismissed is not counted as remaining", () => {
    const play = exhausted("high", "high");
    const [entry] = play.state.findings.filter(({ lastRound }) => lastRound === 3);
    const disposed = { type: "finding-disposed", disposition: "dismissed", by: "ada", reason: "wrong" } as const;
    play.feed({ ...disposed, at: 1, id: "d1", fingerprint: entry?.fingerprint ?? "" });
    expect(escalation(story, play.state)?.counts).toEqual({ critical: 0, important: 1, minor: 0 });
  });

  test("only what the last review found is counted, also where older code still stands", () => {
    const play = adversarial().build().review(found(1, "high")).mend().review(found(2, "high")).mend();
    const standing = play.state.findings.map(({ fingerprint }) => fingerprint);
    play.review(found(3, "medium"), { standing });
    expect(play.state.findings.length).toBeGreaterThan(1);
    expect(escalation(story, play.state)?.counts).toEqual({ critical: 0, important: 1, minor: 0 });
  });

  test("a stall asks at once and says why it came before the limit", () => {
    const { state } = adversarial().build().review(found(1, "high")).fix(false);
    const text = escalation(story, state)?.text;
    expect(text).toContain("After 1 review round, issues remain:\n");
    expect(text).toContain("\nStopped before the limit: the fix changed nothing and refuted nothing\n");
  });

  test("a finding that comes back asks at once as well", () => {
    const play = adversarial().build().review(found(1, "high")).mend().review(found(2, "high")).mend();
    expect(play.review(found(1, "high")).where).toBe("waiting: oscillating");
    expect(escalation(story, play.state)?.text).toContain('\nStopped: "1.0" in src/cart.ts:10 came back');
  });

  test.for([
    { when: "while it works", play: () => adversarial().build() },
    { when: "when the review is clean", play: () => adversarial().build().review(clean) },
    { when: "when the review breaks", play: () => adversarial().build().breaks().breaks().breaks().breaks() },
    { when: "when the day's budget is used up", play: () => adversarial().build().review(found(1, "high")).cap() },
    { when: "before any review", play: () => adversarial().implement(false) },
    { when: "when it was answered", play: () => exhausted("high").signal("accept") },
  ])("nobody is asked $when", ({ play }) => {
    expect(escalation(story, play().state)).toBeNull();
  });
});
