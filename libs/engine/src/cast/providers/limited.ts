import type { Agent, AgentRequest, AgentRun } from "@anneal/adapters";
import { totalUsage } from "@anneal/core/review";
import type { Usage } from "@anneal/types";
import type { ProviderGates, ProviderOutcome, ProviderSlot, ProviderWait } from "./gate.ts";
import { limitsFor, type ProviderSettings } from "./limits.ts";
import { providerOf } from "./provider-of.ts";

/** Called when a run has to wait for its provider, and again when what it waits for changes. */
export type OnWait = (provider: string, untilMs: number | null, reason: ProviderWait) => void;

export interface LimitedOptions {
  providers?: ProviderSettings;
  onWait?: OnWait;
}

/** The same agent, whose runs wait for a slot at their provider and come back when it turned them away. */
export function limited(agent: Agent, gates: ProviderGates, { providers = {}, onWait }: LimitedOptions = {}): Agent {
  return {
    name: agent.name,
    capabilities: agent.capabilities,
    async run(request, signal) {
      const provider = providerOf({ model: request.model, agent: agent.name });
      const gate = gates.of(provider);
      const limits = limitsFor(provider, providers);
      // Not from inside the gate: a listener that throws must not leave it half-way.
      const tell = (untilMs: number | null, reason: ProviderWait) =>
        queueMicrotask(() => onWait?.(provider, untilMs, reason));
      const entry = { ticket: gate.ticket(), limits, signal, onWait: tell };
      let usage: Usage = {};
      for (let tries = 1; ; tries += 1) {
        const place = await gate.enter(entry).catch((error: unknown) => {
          if (!signal.aborted) throw error;
          return null;
        });
        if (place === null) return calledOff(provider, usage);
        const run = await inPlace(place, async () => {
          if (tries > 1) await request.restore?.();
          return await agent.run(request, signal);
        });
        usage = totalUsage([usage, run.usage]);
        if (endingOf(run).served !== "no") return tries === 1 ? run : { ...run, usage };
        const again = tries <= limits.retries && run.status === "failed" && isRepeatable(request);
        if (!again) return turnedAway(provider, { ...run, usage }, tries);
      }
    },
  };
}

/** Whatever happens to a run, its slot is given back. */
async function inPlace(place: ProviderSlot, work: () => Promise<AgentRun>): Promise<AgentRun> {
  let ending: ProviderOutcome = { served: "unknown" };
  try {
    const run = await work();
    ending = endingOf(run);
    return run;
  } finally {
    place.leave(ending);
  }
}

function endingOf({ status, rateLimited }: AgentRun): ProviderOutcome {
  if (status === "finished") return { served: "yes" };
  if (status === "cancelled" || rateLimited === undefined) return { served: "unknown" };
  return { served: "no", ...rateLimited };
}

/** An agent that writes may have begun to: without a way back, the loop itself has to try again. */
function isRepeatable({ role, restore }: AgentRequest): boolean {
  return restore !== undefined || role === "reviewer" || role === "analyst";
}

function turnedAway(provider: string, run: AgentRun, tries: number): AgentRun {
  const times = tries === 1 ? "once" : `${tries} times in a row`;
  return { ...run, error: `${provider} refused the run ${times}: ${run.error ?? "rate limited"}` };
}

function calledOff(provider: string, usage: Usage): AgentRun {
  return { status: "cancelled", text: "", error: `the run was cancelled while it waited for ${provider}`, usage };
}
