import { bareModel } from "@anneal/core/agents";
import type { PlayedBy } from "@anneal/types";

/** Names of models, and of agents that only know the models of one house. */
const HOUSES: readonly (readonly [RegExp, string])[] = [
  [/^(claude(-|$)|sonnet|opus|haiku)/, "anthropic"],
  [/^(gpt-|chatgpt-|codex(-|$)|o\d+(-|$))/, "openai"],
  [/^gemini(-|$)/, "google"],
];

/** Who serves a run: known by the model's name, else by the agent's, which is its own provider where nothing is known. */
export function providerOf({ model, agent }: { model?: string | undefined; agent: string }): string {
  return (model === undefined ? undefined : houseOf(model)) ?? houseOf(agent) ?? agent;
}

/** Who played, for the log. What only plays answers back was served by nobody, whatever model its script or the settings name. */
export function playedBy(agent: string, model: string | undefined): PlayedBy {
  const provider = agent === "scripted" || agent === "replay" ? agent : providerOf({ model, agent });
  return { agent, model: model ?? null, provider };
}

function houseOf(name: string): string | undefined {
  const bare = bareModel(name);
  return HOUSES.find(([names]) => names.test(bare))?.[1];
}
