import type { Agent, AgentRequest } from "@anneal/adapters";
import type { Implementer } from "./loop-work.ts";

const IMPLEMENT_TIMEOUT_MS = 60 * 60_000;

/** With a way back, a run that its provider turned away is tried again on the work tree as it was. */
type Asked = Parameters<Implementer["implement"]>[0] & Pick<AgentRequest, "restore">;

/** Makes an implementer of any agent. */
export function agentImplementer(agent: Agent, model?: string): Implementer {
  return {
    name: agent.name,
    async implement({ worktree, prompt, turn, restore }: Asked, signal) {
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
      if (run.status !== "finished") throw new Error(run.error ?? `the implementer ${run.status}`);
      const { text, usage } = run;
      return { text, usage, by: { agent: agent.name, model: run.model ?? model ?? null, provider: null } };
    },
  };
}
