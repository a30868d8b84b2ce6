import { bareModel, bestFit } from "./names.ts";

/** The agent of each family of models. Aliases such as `sonnet` are passed on as they are: the agents know them. */
const FAMILIES: Readonly<Record<string, string>> = {
  "claude*": "claude",
  "sonnet*": "claude",
  "opus*": "claude",
  "haiku*": "claude",
  "gpt-*": "codex",
  "codex*": "codex",
  "chatgpt-*": "codex",
  o1: "codex",
  "o1-*": "codex",
  o3: "codex",
  "o3-*": "codex",
  "o4-*": "codex",
  "gemini*": "gemini",
  "cursor*": "cursor",
  "composer*": "cursor",
};

/** Which agent runs a model: the user's word over the usual family; a model with its house in front goes to opencode, which knows them all. */
export function agentOfModel(model: string, own: Readonly<Record<string, string>> = {}): string | undefined {
  const named = bestFit(own, model);
  if (named !== undefined) return named;
  if (model.includes("/")) return "opencode";
  return bestFit(FAMILIES, bareModel(model));
}

/** Agents that run only the models of one family, and that family's own agent. */
const OF_FAMILY: Readonly<Record<string, string>> = {
  claude: "claude",
  anthropic: "claude",
  codex: "codex",
  openai: "codex",
  gemini: "gemini",
};

/** Whether a model can be asked of an agent: a work item's model is not for a reviewer of another house. */
export function runsModel(agent: string, model: string, own: Readonly<Record<string, string>> = {}): boolean {
  const family = OF_FAMILY[agent];
  const its = agentOfModel(model, own);
  return family === undefined || its === undefined || its === agent || its === family;
}
