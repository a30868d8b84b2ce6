import { type LoadedSettings, loadSettings } from "@anneal/adapters/files";
import { UsageError } from "../errors.ts";
import type { AgentTerms } from "./fitted.ts";

/** What the settings say about agents and models. How agents are started is the user's own word alone. */
export function agentTermsOf({ project, global }: Pick<LoadedSettings, "project" | "global">): AgentTerms {
  return {
    setups: global.agentSetup,
    modelAgents: { ...global.modelAgents, ...project.modelAgents },
    contexts: { ...global.modelContextTokens, ...project.modelContextTokens },
    prices: { ...global.prices, ...project.prices },
  };
}

/** The same, read for a folder; settings that say it wrongly are not passed over. */
export async function loadAgentTerms(root: string): Promise<{ agents: AgentTerms; model: string | undefined }> {
  const loaded = await loadSettings(root);
  const wrong = loaded.problems.find((problem) =>
    /: (agentSetup|modelAgents|prices|modelContextTokens|agents|defaultModel)\b/.test(problem),
  );
  if (wrong !== undefined) throw new UsageError(wrong);
  return { agents: agentTermsOf(loaded), model: loaded.project.defaultModel ?? loaded.global.defaultModel };
}
