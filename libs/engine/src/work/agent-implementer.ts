import type { Agent } from "@anneal/adapters";
import { playedBy } from "../cast/providers/provider-of.ts";
import { AgentFailed } from "../errors/errors.ts";
import type { Implementer } from "./loop-work.ts";

const IMPLEMENT_TIMEOUT_MS = 60 * 60_000;

/** Makes an implementer of any agent. */
export function agentImplementer(agent: Agent, model?: string): Implementer {
  return {
    name: agent.name,
    async implement({ worktree, prompt, turn, restore }, signal) {
      const run = await agent.run(
        {
          role: "implementer",
          prompt,
          cwd: worktree,
          turn,
          ...(model === undefined ? {} : { model }),
          ...(restore === undefined ? {} : { restore }),
          limits: { timeoutMs: IMPLEMENT_TIMEOUT_MS },
        },
        signal,
      );
      if (run.status !== "finished") throw new AgentFailed(run.error ?? `the implementer ${run.status}`, run);
      const { text, usage } = run;
      return { text, usage, by: playedBy(agent.name, run.model) };
    },
  };
}
