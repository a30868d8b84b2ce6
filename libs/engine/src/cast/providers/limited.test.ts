import type { AgentRun } from "@anneal/adapters";
import { describe, expect, test } from "vitest";
import { providerGates } from "./gate.ts";
import { limited } from "./limited.ts";
import { drained, manualClock } from "./testing/manual-clock.ts";
import { ask, away, playedAgent } from "./testing/played-agent.ts";
import { never, scene } from "./testing/scene.ts";

describe("places at a provider", () => {
  test("so many runs at once, and the next in the order of their coming", async () => {
    const { agent, start, done, waits } = scene();
    await start("a b c d");
    expect(agent.running()).toEqual(["a", "b"]);
    expect(waits).toEqual(["played - busy", "played - busy"]);
    await agent.end("b");
    expect(agent.running()).toEqual(["a", "c"]);
    await agent.end("a");
    await agent.end("c");
    await agent.end("d");
    expect([...done].map(([prompt, { text }]) => [prompt, text])).toEqual(
      ["b", "a", "c", "d"].map((prompt) => [prompt, `answer to ${prompt}`]),
    );
  });

  test("four at once, unless the settings say otherwise", async () => {
    const agent = playedAgent();
    const wrapped = limited(agent, providerGates({ clock: manualClock(), random: () => 0 }));
    for (const prompt of "abcdef") void wrapped.run(ask(prompt), never);
    await drained();
    expect(agent.running()).toEqual(["a", "b", "c", "d"]);
  });

  test("are shared by all agents of a provider, and by nobody else", async () => {
    const gates = providerGates({ clock: manualClock(), random: () => 0 });
    const providers = { openai: { maxConcurrency: 1 } };
    const one = playedAgent("one");
    const two = playedAgent("two");
    void limited(one, gates, { providers }).run(ask("a", { model: "gpt-5" }), never);
    void limited(two, gates, { providers }).run(ask("b", { model: "o3" }), never);
    void limited(two, gates, { providers }).run(ask("c", { model: "sonnet" }), never);
    void limited(two, gates, { providers }).run(ask("d"), never);
    await drained();
    expect([one.running(), two.running()]).toEqual([["a"], ["c", "d"]]);
    await one.end("a");
    expect(two.running()).toEqual(["c", "d", "b"]);
  });

  test.for<{ how: string; run: Partial<AgentRun> }>([
    { how: "failed", run: { status: "failed", error: "crash" } },
    { how: "timed-out", run: { status: "timed-out" } },
  ])("are free again after a run that $how, which is not tried again here", async ({ run }) => {
    const { agent, start, done } = scene({ maxConcurrency: 1 });
    await start("a b");
    await agent.end("a", run);
    expect(agent.running()).toEqual(["b"]);
    expect(done.get("a")).toMatchObject(run);
  });

  test("are free again after an agent that throws, and the error is the caller's", async () => {
    const { gates, providers } = scene();
    const thrower = { ...playedAgent(), run: () => Promise.reject(new Error("no such program")) };
    for (const _ of [1, 2, 3]) {
      await expect(limited(thrower, gates, { providers }).run(ask("x"), never)).rejects.toThrow("no such program");
    }
  });

  test("a wait is called off by the signal, and the order of the others stays", async () => {
    const { agent, start, done } = scene({ maxConcurrency: 1 });
    const stop = new AbortController();
    await start("a");
    await start("b", stop.signal);
    await start("c");
    stop.abort();
    await drained();
    expect(done.get("b")).toEqual({
      status: "cancelled",
      text: "",
      error: "the run was cancelled while it waited for played",
      usage: {},
    });
    await agent.end("a");
    expect(agent.started).toEqual(["a", "c"]);
  });

  test("a run that was called off before it came is not started", async () => {
    const { agent, start, done } = scene();
    await start("a", AbortSignal.abort());
    expect([agent.started, done.get("a")?.status]).toEqual([[], "cancelled"]);
  });

  test("a run that is called off under way gives its place back", async () => {
    const { agent, start, done } = scene({ maxConcurrency: 1 });
    const stop = new AbortController();
    await start("a", stop.signal);
    await start("b");
    stop.abort();
    await drained();
    expect([agent.running(), done.get("a")?.status]).toEqual([["b"], "cancelled"]);
  });
});

describe("a run that writes", () => {
  test("is tried again on the work tree as it was", async () => {
    const { clock, agent, start, done } = scene();
    const reported: string[] = [];
    const restore = async () => void reported.push(`restored after ${agent.started.length}`);
    await start("a", never, { role: "fixer", restore });
    await agent.end("a", away());
    expect(reported).toEqual([]);
    await clock.advance(500);
    expect([reported, agent.running()]).toEqual([["restored after 1"], ["a"]]);
    await agent.end("a");
    expect(done.get("a")).toMatchObject({ status: "finished" });
  });

  test.for(["implementer", "fixer"] as const)("without a way back is left to its loop (%s)", async (role) => {
    const { clock, agent, start, done } = scene();
    await start("a", never, { role });
    await agent.end("a", away());
    expect(done.get("a")).toMatchObject({ status: "failed", error: "played refused the run once: 429" });
    await start("b", never, { role });
    expect(agent.running()).toEqual([]);
    await clock.advance(500);
    expect(agent.running()).toEqual(["b"]);
  });

  test("whose work tree cannot be put back fails, and gives its place back", async () => {
    const { clock, agent, gates, providers } = scene({ maxConcurrency: 1 });
    const restore = () => Promise.reject(new Error("disk full"));
    const run = limited(agent, gates, { providers }).run(ask("a", { role: "fixer", restore }), never);
    const failed = expect(run).rejects.toThrow("disk full");
    await drained();
    await agent.end("a", away());
    await clock.advance(500);
    await failed;
    void limited(agent, gates, { providers }).run(ask("b"), never);
    await drained();
    expect(agent.running()).toEqual(["b"]);
  });
});
