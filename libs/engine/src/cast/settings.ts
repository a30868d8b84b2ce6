import { type LoadedSettings, loadSettings } from "@anneal/adapters/files";
import type { Repo } from "@anneal/git";
import { UsageError } from "../errors/errors.ts";
import { type Judged, judgingSettings } from "../review/judging-settings.ts";
import type { AgentTerms } from "./fitted.ts";

/** What the settings say about agents and models. How agents are started comes from the user's own settings alone. */
export function agentTermsOf({ project, global }: Pick<LoadedSettings, "project" | "global">): AgentTerms {
  return {
    setups: global.agentSetup,
    sandbox: global.sandbox,
    modelAgents: { ...global.modelAgents, ...project.modelAgents },
    contexts: { ...global.modelContextTokens, ...project.modelContextTokens },
    waivedPaths: project.waivedPaths ?? global.waivedPaths,
    secondLook: { ...global.secondLook, ...project.secondLook },
    prices: global.prices,
    projectPrices: project.prices,
  };
}

export interface ReadTerms {
  agents: AgentTerms;
  model: string | undefined;
}

/** The same, read for a folder; settings that say it wrongly are not passed over. */
export async function loadAgentTerms(root: string): Promise<ReadTerms> {
  return termsIn(await loadSettings(root));
}

/** The same for judging a change, whose own settings have no say; `notes` tell what does not count. */
export async function judgingTerms(repo: Repo, judged: Judged): Promise<ReadTerms & { notes: string[] }> {
  const { notes, ...loaded } = await judgingSettings(repo, judged);
  return { ...termsIn(loaded), notes };
}

function termsIn(loaded: LoadedSettings): ReadTerms {
  const wrong = loaded.problems.find((problem) =>
    /: (agentSetup|sandbox|modelAgents|prices|modelContextTokens|waivedPaths|secondLook|agents|defaultModel)\b/.test(
      problem,
    ),
  );
  if (wrong !== undefined) throw new UsageError(wrong);
  return { agents: agentTermsOf(loaded), model: loaded.project.defaultModel ?? loaded.global.defaultModel };
}
