import type { AgentRun } from "@anneal/adapters";
import { describe, expect, test } from "vitest";
import { limited } from "./limited.ts";
import { drained } from "./testing/manual-clock.ts";
import { ask, away, playedAgent } from "./testing/played-agent.ts";
import { never, scene } from "./testing/scene.ts";

describe("a provider that turns runs away", () => {
  test("is left alone by all; then one run tries, and the rest follow when it is served", async () => {
    const { clock, agent, start, done, waits } = scene({ maxConcurrency: 3 });
    await start("a b");
    await agent.end("a", away());
    await start("c");
    expect(agent.running()).toEqual(["b"]);
    expect(waits).toEqual(["played 10500 rate-limited", "played 10500 rate-limited"]);
    await clock.advance(499);
    expect(agent.running()).toEqual(["b"]);
    await clock.advance(1);
    expect(agent.running()).toEqual(["b", "a"]);
    expect(waits.slice(2)).toEqual(["played - probing"]);
    await agent.end("b");
    expect(agent.running()).toEqual(["a"]);
    await agent.end("a");
    expect(agent.running()).toEqual(["c"]);
    await start("d e");
    expect(agent.running()).toEqual(["c", "d", "e"]);
    expect(done.get("a")).toMatchObject({ status: "finished", text: "answer to a" });
  });

  test("again and again is asked at growing intervals up to a cap, and from the start once it served", async () => {
    const { clock, agent, start } = scene();
    await start("a");
    const pauses: number[] = [];
    for (let n = 0; n < 5; n++) {
      await agent.end("a", away());
      const [alarm = 0] = clock.alarms();
      pauses.push(alarm - clock.now());
      await clock.advance(alarm - clock.now());
    }
    expect(pauses).toEqual([500, 1_000, 2_000, 2_000, 2_000]);
    await agent.end("a");
    await start("b");
    await agent.end("b", away());
    expect(clock.alarms()).toEqual([clock.now() + 500]);
  });

  test("is not asked before the moment that it named", async () => {
    const { clock, agent, start, waits } = scene();
    await start("a");
    await agent.end("a", away(9_000));
    expect(waits).toEqual(["played 19000 rate-limited"]);
    await clock.advance(8_999);
    expect(agent.running()).toEqual([]);
    await clock.advance(1);
    expect(agent.running()).toEqual(["a"]);
  });

  test("and turns several runs away at once is one strike; the longest delay holds and the oldest run tries", async () => {
    const { clock, agent, start, waits } = scene({ maxConcurrency: 3 });
    await start("a b c");
    await agent.end("b", away());
    await agent.end("c", away(3_000));
    await agent.end("a", away());
    expect(clock.alarms()).toEqual([13_000]);
    expect(waits).toEqual(["10500", "13000", "13000", "13000"].map((ms) => `played ${ms} rate-limited`));
    await clock.advance(3_000);
    expect(agent.running()).toEqual(["a"]);
    await agent.end("a", away());
    expect(clock.alarms()).toEqual([14_000]);
  });

  test.for<{ how: string; run: Partial<AgentRun> }>([
    { how: "fails for another reason", run: { status: "failed", error: "crash" } },
    { how: "times out", run: { status: "timed-out" } },
  ])("shows nothing by a try that $how: the next run tries", async ({ run }) => {
    const { clock, agent, start } = scene({ maxConcurrency: 4 });
    await start("a b c");
    for (const prompt of ["a", "b", "c"]) await agent.end(prompt, away());
    await clock.advance(500);
    await agent.end("a", run);
    expect(agent.running()).toEqual(["b"]);
    await agent.end("b");
    expect(agent.running()).toEqual(["c"]);
  });

  test("gives a run up after its retries, with what all tries used, and the reason", async () => {
    const { clock, agent, start, done } = scene({ retries: 2 });
    await start("a");
    for (let n = 0; n < 3; n++) {
      await agent.end("a", { ...away(), usage: { inputTokens: 2, costUsd: 0.5 } });
      await clock.advance(10_000);
    }
    expect(done.get("a")).toEqual({
      status: "failed",
      text: "",
      error: "played refused the run 3 times in a row: 429",
      usage: { inputTokens: 6, costUsd: 1.5 },
      rateLimited: { retryAfterMs: null },
    });
    expect(agent.started).toEqual(["a", "a", "a"]);
  });

  test("stays left alone after a run gave up: whoever comes next waits for the end of the pause and tries", async () => {
    const { clock, agent, start } = scene({ retries: 0 });
    await start("a");
    await agent.end("a", away());
    expect(clock.alarms()).toEqual([]);
    await start("b c");
    expect([agent.running(), clock.alarms()]).toEqual([[], [10_500]]);
    await clock.advance(500);
    expect(agent.running()).toEqual(["b"]);
  });

  test("keeps no timer once nobody waits for it any more", async () => {
    const { clock, agent, start, done } = scene();
    const stop = new AbortController();
    await start("a", stop.signal);
    await agent.end("a", away(60_000));
    expect(clock.alarms()).toEqual([70_000]);
    stop.abort();
    await drained();
    expect([clock.alarms(), done.get("a")?.status]).toEqual([[], "cancelled"]);
  });

  test("does not hold up the runs of other providers", async () => {
    const { gates, start, agent } = scene();
    await start("a");
    await agent.end("a", away());
    const other = playedAgent("other");
    void limited(other, gates).run(ask("x"), never);
    await drained();
    expect(other.running()).toEqual(["x"]);
  });

  test("a finished run is an answer, whatever its provider said on the way", async () => {
    const { agent, start, done, clock } = scene();
    await start("a");
    await agent.end("a", { rateLimited: { retryAfterMs: 5 } });
    expect([done.get("a")?.status, clock.alarms()]).toEqual(["finished", []]);
  });

  test("is left alone as long as before when a run that it also turned away asks for less", async () => {
    const { clock, agent, start } = scene();
    await start("a b");
    await agent.end("a", away(5_000));
    await agent.end("b", away(1_000));
    expect(clock.alarms()).toEqual([15_000]);
  });

  test("a run that timed out over it is not tried again here, but the others wait", async () => {
    const { agent, start, done, clock } = scene();
    await start("a");
    await agent.end("a", { ...away(5_000), status: "timed-out" });
    expect(done.get("a")).toMatchObject({ status: "timed-out", rateLimited: { retryAfterMs: 5_000 } });
    await start("b");
    expect([agent.running(), clock.alarms()]).toEqual([[], [15_000]]);
  });

  test("a run that was called off says nothing of its provider", async () => {
    const { agent, start, done } = scene();
    await start("a");
    await agent.end("a", { ...away(5_000), status: "cancelled" });
    await start("b");
    expect([done.get("a")?.status, agent.running()]).toEqual(["cancelled", ["b"]]);
  });
});
