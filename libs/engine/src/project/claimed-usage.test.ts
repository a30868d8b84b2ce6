import { POLICIES } from "@anneal/core";
import type { LoopEvent, Policy, Usage } from "@anneal/types";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Play } from "../../../core/src/testing/build.ts";
import { eventsAfterStart, historyOf, startOf } from "../history/loop-history.ts";
import { type ProjectStore, storeLog } from "../history/store-log.ts";
import { summaryOf } from "../history/summary.ts";
import { openFor, tempProject } from "../log/testing/project.ts";
import { LoopEngine } from "../loop/loop-engine.ts";

const policy: Policy = { ...POLICIES.gate, caps: { costUsd: 5, tokens: 1e15 } };
const started = new Play(policy).log[0] as Extract<LoopEvent, { type: "loop-started" }>;
const clock = { now: () => 1_000, sleep: async () => {} };
const shutdown = new AbortController().signal;
const broke = (usage: Usage): LoopEvent => ({ type: "broke", at: 2, stage: "implementing", reason: "x", usage });

const number = fc.oneof(
  fc.double(),
  fc.constantFrom(1e6, 1e12, 1e308, Number.POSITIVE_INFINITY, -1, Number.NaN),
  fc.nat(),
);
const claim = fc.record({ inputTokens: number, outputTokens: number, costUsd: number }, { requiredKeys: [] });

test("whatever numbers agents claim, the log says the same to the next process", async () => {
  const store = openFor(tempProject()) as ProjectStore;
  let loops = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(claim, { minLength: 1, maxLength: 5 }), async (claims) => {
      loops += 1;
      const loopId = `f${loops}~1`;
      const log = storeLog(store, { loopId, kind: "feature", item: `f${loops}`, title: "", branch: null, policy });
      const engine = new LoopEngine({ policy, log, clock, shutdown });
      let state = engine.begin(started);
      for (const usage of claims)
        if (state.stage === "implementing") state = await engine.step(state, async () => broke(usage));
      const row = store.loop(loopId);
      if (row === null) throw new Error("no such loop");
      expect(historyOf(store, row).state).toEqual(state);
      expect(row.summary).toEqual(summaryOf({ title: "", branch: null, policy }, state, historyOf(store, row).spent));
      expect(JSON.stringify(row.summary)).not.toContain('costUsd":null');
      const next = new LoopEngine({ policy, log, clock, shutdown });
      expect(next.resume(startOf(store, loopId), eventsAfterStart(store, loopId))).toEqual(state);
    }),
    { numRuns: 60 },
  );
});

test("a cost that an older Anneal wrote as null was above every cap, and is when it is read", () => {
  const root = tempProject();
  const store = openFor(root) as ProjectStore;
  const about = { title: "", branch: null, policy };
  const play = new Play(policy);
  const entry = (event: LoopEvent, costUsd: number) => ({
    event,
    stage: play.state.stage,
    summary: summaryOf(about, play.state, { tokens: 0, costUsd }),
  });
  const first = entry(started, 0);
  play.feed(broke({ costUsd: Number.POSITIVE_INFINITY }));
  const second = entry(broke({ costUsd: Number.POSITIVE_INFINITY }), Number.POSITIVE_INFINITY);
  expect(second.stage).toBe("waiting-for-human");
  store.append("f1~1", [first, second], { usage: { tokens: 0, costUsd: Number.POSITIVE_INFINITY } });

  const log = storeLog(store, { loopId: "f1~1", kind: "feature", item: "f1", ...about });
  const engine = new LoopEngine({ policy, log, clock, shutdown });
  const state = engine.resume(startOf(store, "f1~1"), eventsAfterStart(store, "f1~1"));
  expect(state).toMatchObject({ stage: "waiting-for-human", reason: "capped" });
  expect(state).toMatchObject({ detail: expect.stringContaining("more than $1e+21 of $5 are spent") });
  expect(store.loop("f1~1")?.summary.costUsd).toBe(Number.MAX_VALUE);
  expect(store.usedSince(0)).toEqual({ tokens: 0, costUsd: Number.MAX_VALUE });
});
