import { bareModel } from "@anneal/core/agents";

/** Names of models, and of agents that only know the models of one house. */
const HOUSES: readonly (readonly [RegExp, string])[] = [
  [/^(claude(-|$)|sonnet|opus|haiku)/, "anthropic"],
  [/^(gpt-|chatgpt-|codex(-|$)|o\d+(-|$))/, "openai"],
  [/^gemini(-|$)/, "google"],
];

/** Who serves a run: told by the model's name, else by the agent's, which is its own provider where nothing is known. */
export function providerOf({ model, agent }: { model?: string | undefined; agent: string }): string {
  return (model === undefined ? undefined : houseOf(model)) ?? houseOf(agent) ?? agent;
}

function houseOf(name: string): string | undefined {
  const bare = bareModel(name);
  return HOUSES.find(([names]) => names.test(bare))?.[1];
}
