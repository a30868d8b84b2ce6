import type { AgentRequest } from "@anneal/adapters";

/** The prompts of the scripted agents of this file's tests, in order. */
export const asked: AgentRequest[] = [];

/** The agents are made deep inside of a run; put in their place with `vi.mock`, this records their prompts. */
export function listening(real: typeof import("@anneal/adapters/scripted")) {
  const scriptedAgent: typeof real.scriptedAgent = (script) => {
    const agent = real.scriptedAgent(script);
    const run: typeof agent.run = (request, signal) => {
      asked.push(request);
      return agent.run(request, signal);
    };
    return { ...agent, run };
  };
  return { ...real, scriptedAgent };
}
