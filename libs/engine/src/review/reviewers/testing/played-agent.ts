import type { Agent, AgentRequest, AgentRun } from "@anneal/adapters";

export interface PlayedAgent extends Agent {
  requests: AgentRequest[];
  /** The most runs that were under way at the same time. */
  mostAtOnce: number;
}

/** An agent that answers by a function, and remembers what it was asked. */
export function playedAgent(
  answer: (request: AgentRequest, number: number) => Partial<AgentRun> | Promise<Partial<AgentRun>>,
  name = "played",
): PlayedAgent {
  let running = 0;
  const agent: PlayedAgent = {
    name,
    capabilities: { schema: "native", readOnly: "none", cost: "none", streaming: "none" },
    requests: [],
    mostAtOnce: 0,
    async run(request) {
      const number = agent.requests.push(request);
      agent.mostAtOnce = Math.max(agent.mostAtOnce, ++running);
      // Gives another call the chance to begin.
      await new Promise((resolve) => setImmediate(resolve));
      try {
        return {
          status: "finished",
          text: "",
          usage: { inputTokens: 10, outputTokens: 1 },
          ...(await answer(request, number)),
        };
      } finally {
        running -= 1;
      }
    },
  };
  return agent;
}

/** The blocks of a prompt whose label begins like this, by their label, to the letter. */
export function blocksIn(prompt: string, label: string): { label: string; text: string }[] {
  const pattern = /^<<<<< BEGIN DATA (\S+): (.*)\n([\s\S]*?\n)>>>>> END DATA \1$/gm;
  return [...prompt.matchAll(pattern)]
    .map(([, , name = "", text = ""]) => ({ label: name, text }))
    .filter((block) => block.label.startsWith(label));
}
