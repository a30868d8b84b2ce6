import type { AgentRun } from "@anneal/adapters";
import { providerGates } from "../gate.ts";
import { type LimitedOptions, limited } from "../limited.ts";
import { drained, manualClock } from "./manual-clock.ts";
import { ask, playedAgent } from "./played-agent.ts";

export const never = new AbortController().signal;
const pace = { backoffMs: 1_000, maxBackoffMs: 4_000 };

/** One provider, runs named by their prompts, and a clock that stands still. */
export function scene({
  maxConcurrency = 2,
  retries = 5,
  ...rest
}: {
  maxConcurrency?: number;
  retries?: number;
} = {}) {
  const clock = manualClock(10_000);
  const agent = playedAgent();
  const gates = providerGates({ clock, random: () => 0 });
  const waits: string[] = [];
  const onWait: LimitedOptions["onWait"] = (provider, untilMs, reason) =>
    void waits.push([provider, untilMs ?? "-", reason].join(" "));
  const providers = { played: { maxConcurrency, retries, ...pace, ...rest } };
  const done = new Map<string, AgentRun>();
  const wrapped = limited(agent, gates, { providers, onWait });
  async function start(prompts: string, signal = never, over = {}): Promise<void> {
    for (const prompt of prompts.split(" ")) {
      void wrapped.run(ask(prompt, over), signal).then((run) => done.set(prompt, run));
    }
    await drained();
  }
  return { clock, agent, gates, waits, done, start, providers };
}
