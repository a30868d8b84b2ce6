import { POLICIES } from "@anneal/core";
import type { ActiveStage, Caps, LoopEvent } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { clean, Play } from "../../../core/src/testing/build.ts";
import { dayBudget, dayCapsOf, withinDay } from "./day-budget.ts";
import { drive, type StageWork } from "./driver.ts";
import { LoopEngine, type LoopLog } from "./loop-engine.ts";

const NOON = new Date(2026, 2, 4, 12).getTime();
const MIDNIGHT = new Date(2026, 2, 4).getTime();
const nothing = { tokens: 0, costUsd: 0 };

describe("what a day allows", () => {
  test.for<{ caps: Caps; used: typeof nothing; workedMs: number; says: string | null }>([
    { caps: {}, used: { tokens: 9e9, costUsd: 9e9 }, workedMs: 9e9, says: null },
    { caps: { tokens: 10 }, used: { tokens: 9, costUsd: 50 }, workedMs: 50, says: null },
    { caps: { tokens: 10 }, used: { tokens: 10, costUsd: 0 }, workedMs: 0, says: "10 of 10 tokens are used" },
    { caps: { tokens: 10 }, used: { tokens: 17, costUsd: 0 }, workedMs: 0, says: "17 of 10 tokens are used" },
    { caps: { costUsd: 0.3 }, used: { tokens: 5, costUsd: 0.29 }, workedMs: 0, says: null },
    { caps: { costUsd: 0.3 }, used: { tokens: 5, costUsd: 0.1 + 0.2 }, workedMs: 0, says: "$0.3 of $0.3 are spent" },
    { caps: { wallMs: 60 }, used: nothing, workedMs: 59, says: null },
    { caps: { wallMs: 60 }, used: nothing, workedMs: 60, says: "60 of 60 ms are used" },
  ])("$caps with $used and $workedMs ms of work: $says", ({ caps, used, workedMs, says }) => {
    const budget = dayBudget({ usedSince: () => used, workedSince: () => workedMs, clock: { now: () => NOON }, caps });
    const reason = says === null ? null : `the daily cap for all loops (2026-03-04): ${says}`;
    expect(["implementing", "reviewing", "fixing"].map((stage) => budget(stage as ActiveStage))).toEqual([
      reason,
      reason,
      reason,
    ]);
  });

  test("stages that cost nothing go on", () => {
    const used = { tokens: 99, costUsd: 0 };
    const budget = dayBudget({ usedSince: () => used, clock: { now: () => NOON }, caps: { tokens: 1 } });
    const free: ActiveStage[] = ["validating", "committing", "opening-pr", "awaiting-feedback", "merging"];
    expect(free.map(budget)).toEqual(free.map(() => null));
  });

  test.for([
    { at: "its first moment", now: MIDNIGHT },
    { at: "noon", now: NOON },
    { at: "its last moment", now: new Date(2026, 2, 4, 23, 59, 59, 999).getTime() },
  ])("at $at the day counts from midnight in the machine's time zone", ({ now }) => {
    const asked: number[] = [];
    const usedSince = (ms: number) => {
      asked.push(ms);
      return nothing;
    };
    dayBudget({ usedSince, clock: { now: () => now }, caps: { tokens: 1 } })("fixing");
    expect(asked).toEqual([MIDNIGHT]);
  });

  test("a cap on time that nobody measures is a mistake, not a cap that never holds", () => {
    const args = { usedSince: () => nothing, clock: { now: () => NOON }, caps: { wallMs: 5 } };
    expect(() => dayBudget(args)).toThrow("needs workedSince");
  });

  test("of the project's caps and the user's the smaller holds, key by key", () => {
    const global = { budgets: { tokens: 1, perDay: { tokens: 5, costUsd: 5 } } };
    const project = { budgets: { costUsd: 1, perDay: { tokens: 1_000_000, costUsd: 2, wallMs: 9 } } };
    expect(dayCapsOf({ global, project })).toEqual({ tokens: 5, costUsd: 2, wallMs: 9 });
    expect(dayCapsOf({ global: {}, project: {} })).toEqual({});
  });
});

describe("a loop within the day's budget", () => {
  /** A loop whose agents use 60 tokens a run, on a day that allows 100 to all of them. */
  function scene() {
    const now = { ms: NOON };
    const clock = { now: () => now.ms, sleep: async () => {} };
    const events: LoopEvent[] = [];
    const log: LoopLog = { append: (event) => void events.push(event), words: () => [], refuse: () => {} };
    const usedSince = (ms: number) => {
      const today = events.filter((event) => "usage" in event && event.at >= ms);
      return { tokens: today.length * 60, costUsd: 0 };
    };
    const played = new Play(POLICIES.gate).build().review(clean).log;
    const engine = new LoopEngine({ policy: POLICIES.gate, log, clock, shutdown: new AbortController().signal });
    const of = <T extends LoopEvent["type"]>(type: T) =>
      played.find((event): event is Extract<LoopEvent, { type: T }> => event.type === type);
    const answer = (type: LoopEvent["type"]) => async () => {
      const event = of(type);
      if (event === undefined) throw new Error(`the play has no ${type}`);
      return { ...event, at: now.ms, ...("usage" in event ? { usage: { inputTokens: 60 } } : {}) } as LoopEvent;
    };
    const work: StageWork = {
      implementing: answer("implemented"),
      validating: answer("validated"),
      committing: answer("committed"),
      reviewing: answer("reviewed"),
      fixing: answer("fixed"),
      "opening-pr": answer("pr-opened"),
      merging: answer("merged"),
    };
    const first = of("loop-started");
    if (first === undefined) throw new Error("the play has no beginning");
    const budget = dayBudget({ usedSince, clock, caps: { tokens: 100 } });
    return { now, events, engine, first, work: withinDay(work, budget, clock) };
  }

  test("runs while there is something left: a run that overdraws it is finished", async () => {
    const { engine, first, work, events } = scene();
    const state = await drive(engine, engine.begin(first), work);
    expect(state).toMatchObject({ stage: "ended", outcome: "passed" });
    expect(events.some((event) => event.type === "capped")).toBe(false);
  });

  test("waits for a person once the day is used up, waits again on the same day, and goes on on the next", async () => {
    const { now, engine, first, work, events } = scene();
    const others: LoopEvent = { type: "broke", at: NOON, usage: {}, stage: "fixing", reason: "of another loop" };
    events.push(others);
    const waits = await drive(engine, engine.begin(first), work);
    expect(waits).toMatchObject({ stage: "waiting-for-human", reason: "capped", backTo: "reviewing" });
    expect(waits).toMatchObject({ detail: expect.stringContaining("120 of 100 tokens are used; the last commit is") });
    const going = new Play(POLICIES.gate);
    going.state = waits;
    const again = await drive(engine, going.signal("resume").state, work);
    expect(again).toMatchObject({ stage: "waiting-for-human", reason: "capped" });
    now.ms = new Date(2026, 2, 5).getTime();
    going.state = again;
    expect(await drive(engine, going.signal("retry").state, work)).toMatchObject({ stage: "ended", outcome: "passed" });
    expect(events.filter((event) => event.type === "capped")).toHaveLength(2);
  });
});
