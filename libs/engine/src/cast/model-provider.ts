import { agentOfModel } from "@anneal/core/agents";
import { UsageError } from "../errors/errors.ts";

/** Seed 000's name for whose model works on an item: its own, else that of the settings. Aliases stay as they are: agents know them. */
export function resolveModelString(model: string | undefined, defaultModel: string | undefined): string | undefined {
  return [model, defaultModel].map((one) => one?.trim()).find((one) => one !== undefined && one !== "");
}

/** Seed 000's name for which agent runs a model. A model that nobody knows is an error and not somebody's guess. */
export const ProviderFactory = {
  getProviderNameForModel(model: string, modelAgents: Readonly<Record<string, string>> = {}, part = "agent"): string {
    const name = agentOfModel(model, modelAgents);
    if (name !== undefined) return name;
    throw new UsageError(
      `no agent is known for the model "${model}": name the agent for the ${part}, or set it in the settings as "modelAgents": {"${model}": "AGENT"}`,
    );
  },
} as const;
