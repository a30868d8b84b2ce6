import type { Category, LoopEvent } from "@anneal/types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { advance, start } from "../loop/loop.ts";
import { POLICIES } from "../policies/index.ts";
import { bad, clean, defect, Play, report } from "../testing/build.ts";
import { counted, type Days, type Happening } from "./counting.ts";
import { DEFAULT_FORMULA, daysIn, summaryOfDays } from "./summary.ts";

const DAY_MS = 86_400_000;
const FIRST = "1970-01-01";

/** A loop's events with the states around them, moved to a day. */
function happenings({ log, policy }: Play, day = 0): Happening[] {
  const all: Happening[] = [];
  for (const logged of log) {
    const event: LoopEvent = { ...logged, at: logged.at + day * DAY_MS };
    const before = all.at(-1)?.after ?? null;
    if (before !== null) all.push({ event, before, after: advance(policy, before, event) });
    else if (event.type === "loop-started") all.push({ event, before, after: start(event) });
  }
  return all;
}

const fold = (all: readonly Happening[], days: Days = {}) => all.reduce(counted, days);
const summary = (...plays: Play[]) =>
  summaryOfDays(daysIn(fold(plays.flatMap((play) => happenings(play)))), DEFAULT_FORMULA);

const about = (category: Category, n: number) => defect(n, { category, severity: "critical" });
const faults = (...findings: ReturnType<typeof about>[]) => report({ claim: "fail", findings, summary: "Not yet." });
const gate = () => new Play(POLICIES.gate).build();

test("the first-pass rate is of loops that were reviewed, however many reviews they took", () => {
  const slow = gate().review(bad("high", 1)).mend().review(bad("high", 2)).mend().review(clean);
  expect(summary(gate().review(clean), slow, gate())).toMatchObject({ firstPassRate: 0.5, reviews: 4, loops: 3 });
});

describe("what is counted", () => {
  test.for([
    {
      what: "a first review that passes",
      play: () => gate().review(clean),
      is: { firstPassRate: 1, averageIterations: 1 },
    },
    {
      what: "a pass in the second round",
      play: () => gate().review(bad()).mend().review(clean),
      is: { firstPassRate: 0, averageIterations: 2, averageIterationsBeforePr: null, reviews: 2, fixes: 1 },
    },
    {
      what: "a pull request after two rounds",
      play: () => new Play(POLICIES["pull-request"]).build().review(bad()).mend().review(clean).pr(),
      is: { averageIterationsBeforePr: 2, averageIterations: 2 },
    },
    {
      what: "a pull request after two rounds, with one more for its feedback, which is none before it",
      play: () =>
        new Play(POLICIES["pull-request"])
          .build()
          .review(bad())
          .mend()
          .review(clean)
          .pr()
          .feedback({ report: bad("high", 9) })
          .mend()
          .review(clean)
          .pr(),
      is: { averageIterationsBeforePr: 2, reviews: 3 },
    },
    {
      what: "a pull request that nobody reviewed",
      play: () => new Play(POLICIES["pull-request"]).build().signal("skip").pr(true),
      is: { averageIterationsBeforePr: null, averageIterations: null, firstPassRate: null, reviews: 0 },
    },
    {
      what: "a review that broke",
      play: () => gate().breaks().review({ status: "inconclusive", reason: "?" }).review(clean),
      is: { reviews: 1, firstPassRate: 1 },
    },
    {
      what: "findings that a fix resolved",
      play: () =>
        gate()
          .review(faults(about("security", 1), about("logic", 2)))
          .mend()
          .review(clean),
      is: {
        issuesFound: 2,
        issuesAutoFixed: 2,
        resolutionRate: 1,
        timeSaved: expect.objectContaining({ minutes: 20 }),
      },
    },
    {
      what: "a finding that is open still",
      play: () =>
        gate()
          .review(faults(about("security", 1), about("logic", 2)))
          .mend()
          .review(faults(about("logic", 2))),
      is: { issuesFound: 2, issuesAutoFixed: 1, resolutionRate: 0.5 },
    },
    {
      what: "a finding that came back",
      play: () =>
        gate()
          .review(faults(about("logic", 1)))
          .mend()
          .review(faults(about("style", 2)))
          .mend()
          .review(faults(about("logic", 1))),
      is: { issuesFound: 2, issuesAutoFixed: 1, resolutionRate: 0.5 },
    },
    {
      what: "a finding that fresh reviewers do not name any more",
      play: () =>
        new Play(POLICIES.adversarial)
          .build()
          .review(faults(about("logic", 1)))
          .mend()
          .review(clean),
      is: { issuesFound: 1, issuesAutoFixed: 1 },
    },
  ])("$what", ({ play, is }) => {
    expect(summary(play())).toMatchObject(is);
  });

  test("a person's ruling resolves without being a fix; a deferred finding stays unresolved", () => {
    const play = gate().review(faults(about("logic", 1), about("style", 2)));
    const [first, second] = play.state.findings;
    for (const [entry, disposition] of [
      [first, "dismissed"],
      [second, "deferred"],
    ] as const)
      play.feed({
        type: "finding-disposed",
        at: 9_000,
        id: disposition,
        fingerprint: entry?.fingerprint ?? "",
        disposition,
        by: "ada",
        reason: "so be it",
      });
    expect(fold(happenings(play))[FIRST]).toMatchObject({ dismissed: 1, deferred: 1, fixed: {} });
    expect(summary(play)).toMatchObject({ issuesFound: 2, issuesAutoFixed: 0, resolutionRate: 0.5 });
  });

  test("categories by how often they occur, with their share", () => {
    const one = gate().review(faults(about("style", 1), about("logic", 2), about("logic", 3)));
    const two = gate()
      .review(faults(about("logic", 4)))
      .mend()
      .review(clean);
    expect(summary(one, two).commonCategories).toEqual([
      { category: "logic", found: 3, fixed: 1, share: 0.75 },
      { category: "style", found: 1, fixed: 0, share: 0.25 },
    ]);
  });

  test("cost and tokens of every event", () => {
    const usage = { inputTokens: 10, outputTokens: 5, costUsd: 0.25 };
    const play = gate().review(bad(), { usage }).mend().review(clean, { usage });
    expect(summary(play)).toMatchObject({ tokens: 30, costUsd: 0.5 });
  });

  test("time saved follows its formula, and says how", () => {
    const days = daysIn(fold(happenings(gate().review(bad()).mend().review(clean))));
    expect(summaryOfDays(days, { minutesPerFinding: 7, minutesPerRound: 2 }).timeSaved).toEqual({
      minutes: 11,
      formula: { minutesPerFinding: 7, minutesPerRound: 2 },
      text: "1 auto-fixed × 7 min + 2 reviews × 2 min",
    });
  });

  test.for([
    { what: "low and info", over: [{ severity: "low" }, { severity: "info" }], is: { minutes: 0, isTrivial: true } },
    { what: "safe repairs", over: [{ rule: "debug-leftover" }, { rule: "focused-test" }], is: { isTrivial: true } },
    { what: "one of two", over: [{ severity: "low" }, { severity: "high" }], is: { minutes: 10 } },
  ] as const)("time saved is not claimed for trivial fixes: $what", ({ over, is }) => {
    const findings = over.map((one, n) => ({ ...about("logic", n + 1), ...one }));
    const play = gate()
      .review(report({ claim: "fail", findings, summary: "Not yet." }))
      .mend()
      .review(clean);
    expect(summary(play).timeSaved).toMatchObject(is);
  });

  test("nothing at all has no rates", () => {
    expect(summaryOfDays([], DEFAULT_FORMULA)).toMatchObject({
      loops: 0,
      averageIterationsBeforePr: null,
      firstPassRate: null,
      resolutionRate: null,
      commonCategories: [],
    });
  });
});

describe("a range of days", () => {
  const days = [0, 1, 2].reduce<Days>((sum, day) => fold(happenings(gate().review(clean), day), sum), {});

  test.for([
    { range: {}, dates: ["1970-01-01", "1970-01-02", "1970-01-03"] },
    { range: { from: "1970-01-02" }, dates: ["1970-01-02", "1970-01-03"] },
    { range: { to: "1970-01-02" }, dates: ["1970-01-01", "1970-01-02"] },
    { range: { from: "1970-01-02", to: "1970-01-02" }, dates: ["1970-01-02"] },
    { range: { from: "1970-01-03", to: "1970-01-01" }, dates: [] },
  ])("$range has both of its ends", ({ range, dates }) => {
    expect(daysIn(days, range).map(({ date }) => date)).toEqual(dates);
    expect(summaryOfDays(daysIn(days, range), DEFAULT_FORMULA).loops).toBe(dates.length);
  });
});

describe("what always holds", () => {
  const moves: Record<string, (play: Play) => Play> = {
    build: (play) => play.build(),
    clean: (play) => play.review(clean),
    logic: (play) => play.review(faults(about("logic", 1))),
    both: (play) => play.review(faults(about("logic", 1), about("security", 2))),
    paid: (play) => play.review(bad(), { usage: { inputTokens: 3, costUsd: 0.1 } }),
    mend: (play) => play.mend(),
    breaks: (play) => play.breaks(),
    pr: (play) => play.pr(),
    merged: (play) => play.merged(),
    resume: (play) => play.signal("resume"),
    stop: (play) => play.signal("stop"),
  };
  const loop = fc
    .record({
      policy: fc.constantFrom(...Object.values(POLICIES)),
      said: fc.array(fc.constantFrom(...Object.keys(moves)), { maxLength: 14 }),
      day: fc.nat(3),
    })
    .map(({ policy, said, day }) =>
      happenings(
        said.reduce((play, name) => moves[name]?.(play) ?? play, new Play(policy).build()),
        day,
      ),
    );
  const history = fc.array(loop, { maxLength: 4 }).map((loops) => loops.flat());

  test("stopping anywhere and going on from what was written equals counting all at once", () => {
    fc.assert(
      fc.property(history, fc.array(fc.nat(80), { maxLength: 5 }), (all, cuts) => {
        const places = [0, ...cuts.map((cut) => Math.min(cut, all.length)), all.length].sort((a, b) => a - b);
        const piecewise = places
          .slice(1)
          .reduce<Days>((days, to, index) => fold(all.slice(places[index], to), JSON.parse(JSON.stringify(days))), {});
        expect(piecewise).toEqual(fold(all));
      }),
    );
  });

  test("no rate leaves its bounds, and no more passes at first than is reviewed at first", () => {
    fc.assert(
      fc.property(history, (all) => {
        const { firstPassRate, resolutionRate, issuesAutoFixed, issuesFound } = summaryOfDays(
          daysIn(fold(all)),
          DEFAULT_FORMULA,
        );
        for (const rate of [firstPassRate, resolutionRate]) expect(rate ?? 0).toBeLessThanOrEqual(1);
        expect(issuesAutoFixed).toBeLessThanOrEqual(issuesFound);
      }),
    );
  });
});
