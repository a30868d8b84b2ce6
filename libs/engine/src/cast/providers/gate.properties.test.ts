import type { AgentRun } from "@anneal/adapters";
import { scriptedAgent } from "@anneal/adapters/scripted";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agentContract } from "../../../../adapters/src/testing/agent-contract.ts";
import { providerGates } from "./gate.ts";
import { limited } from "./limited.ts";
import { drained, manualClock } from "./testing/manual-clock.ts";
import { ask, away, playedAgent } from "./testing/played-agent.ts";

agentContract(
  "an agent behind a gate",
  (plan) =>
    limited(
      scriptedAgent({
        steps: plan.map(({ role, answer, end, writes = {} }) => ({
          role,
          answer,
          end,
          edits: Object.entries(writes).map(([path, content]) => ({ path, content })),
        })),
      }),
      providerGates({ clock: manualClock(), random: () => 0 }),
    ),
  { hangs: "can", models: "none" },
);

type Act =
  | { do: "come" }
  | { do: "end"; which: number; how: "finished" | "failed" | "away" }
  | { do: "call off"; which: number }
  | { do: "pass"; ms: number };

const which = fc.nat(9);
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ do: fc.constant("come" as const) }),
  fc.record({ do: fc.constant("end" as const), which, how: fc.constantFrom("finished", "failed", "away") }),
  fc.record({ do: fc.constant("call off" as const), which }),
  fc.record({ do: fc.constant("pass" as const), ms: fc.nat(3_000) }),
);

/** How each run ends, by the agent's word. */
const ENDINGS: Record<"finished" | "failed" | "away", Partial<AgentRun>> = {
  finished: {},
  failed: { status: "failed", error: "crash" },
  away: away(),
};

describe("whatever runs do", () => {
  test("no more than allowed are under way, none while the provider rests, and in the end all are answered", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(act, { maxLength: 40 }), async (max, acts) => {
        const clock = manualClock();
        const agent = playedAgent();
        const gates = providerGates({ clock, random: () => 0.5 });
        const providers = { played: { maxConcurrency: max, retries: 2, backoffMs: 500, maxBackoffMs: 2_000 } };
        const wrapped = limited(agent, gates, { providers });
        const runs = new Map<string, AbortController>();
        const done = new Map<string, AgentRun>();
        let restsUntilMs = 0;
        let checked = 0;

        const check = () => {
          expect(agent.running().length).toBeLessThanOrEqual(max);
          if (agent.started.length > checked) expect(clock.now()).toBeGreaterThanOrEqual(restsUntilMs);
          checked = agent.started.length;
          // A timer is only kept for somebody who waits.
          if (done.size === runs.size) expect(clock.alarms()).toEqual([]);
        };
        const end = async (at: number, how: keyof typeof ENDINGS) => {
          const open = agent.running();
          const prompt = open[at % Math.max(1, open.length)];
          if (prompt === undefined) return;
          if (how === "away") restsUntilMs = Math.max(restsUntilMs, clock.now() + 250);
          await agent.end(prompt, ENDINGS[how]);
        };

        for (const one of acts) {
          if (one.do === "come") {
            const prompt = `r${runs.size}`;
            const stop = new AbortController();
            runs.set(prompt, stop);
            void wrapped.run(ask(prompt), stop.signal).then((run) => done.set(prompt, run));
            await drained();
          } else if (one.do === "end") await end(one.which, one.how);
          else if (one.do === "pass") await clock.advance(one.ms);
          else {
            [...runs.values()][one.which]?.abort();
            await drained();
          }
          check();
        }
        for (let n = 0; n < 200 && done.size < runs.size; n++) {
          await end(0, "finished");
          await clock.advance(2_000);
        }
        expect([...done.keys()].sort()).toEqual([...runs.keys()].sort());
        expect([agent.running(), clock.alarms()]).toEqual([[], []]);
      }),
      { numRuns: 300 },
    );
  });

  test("runs that are not called off start in the order of their coming", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(which, { maxLength: 30 }), async (max, ends) => {
        const agent = playedAgent();
        const gates = providerGates({ clock: manualClock(), random: () => 0 });
        const wrapped = limited(agent, gates, { providers: { played: { maxConcurrency: max } } });
        const prompts = ends.map((_, at) => `r${at}`);
        for (const prompt of prompts) void wrapped.run(ask(prompt), new AbortController().signal);
        await drained();
        for (const at of ends) await agent.end(agent.running()[at % agent.running().length] ?? "");
        expect(agent.started).toEqual(prompts);
      }),
      { numRuns: 100 },
    );
  });
});
