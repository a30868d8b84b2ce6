import type { Agent, AgentRequest } from "@anneal/adapters";
import { priced, runsModel } from "@anneal/core/agents";
import type { AgentSettings, GlobalSettings, Price, SecondLookWhen } from "@anneal/types";

/** What the user's settings say about agents and models. */
export interface AgentTerms {
  /** By the agent's name. */
  setups?: Readonly<Record<string, AgentSettings>> | undefined;
  /** Whether an agent may run where nothing can shut it in. */
  sandbox?: GlobalSettings["sandbox"];
  modelAgents?: Readonly<Record<string, string>> | undefined;
  prices?: Readonly<Record<string, Price>> | undefined;
  /** Those of the project's settings, which lower no cost. */
  projectPrices?: Readonly<Record<string, Price>> | undefined;
  /** Patterns of paths that may go unread. */
  waivedPaths?: readonly string[] | undefined;
  /** Whether passing answers are read once more, and by which agent. */
  secondLook?: { when?: SecondLookWhen | undefined; by?: string | undefined } | undefined;
  /** Tokens that models take in at once, by their names. */
  contexts?: Readonly<Record<string, number>> | undefined;
}

/** Longer than any test run that an agent waits for. */
const SILENCE_MS = 20 * 60_000;

/** The same agent, asked only for models that it runs, ended when it falls silent, with what its runs cost, and by which model: one that it was not asked for did not play. */
export function fitted(agent: Agent, model: string | undefined, terms: AgentTerms): Agent {
  const { setups, modelAgents, prices, projectPrices } = terms;
  const silenceMs = setups?.[agent.name]?.silenceMs ?? SILENCE_MS;
  const modelOf = (request: AgentRequest): string | undefined => {
    if (model !== undefined) return model;
    return request.model !== undefined && runsModel(agent.name, request.model, modelAgents) ? request.model : undefined;
  };
  return {
    name: agent.name,
    capabilities: agent.capabilities,
    async run({ model: asked, ...request }, signal) {
      const chosen = modelOf({ ...request, ...(asked === undefined ? {} : { model: asked }) });
      const limits = agent.capabilities.streaming === "events" ? { silenceMs, ...request.limits } : request.limits;
      const run = await agent.run({ ...request, limits, ...(chosen === undefined ? {} : { model: chosen }) }, signal);
      const played = run.model ?? chosen;
      const usage = priced(run.usage, played, prices, projectPrices);
      return { ...run, ...(played === undefined ? {} : { model: played }), usage };
    },
  };
}
