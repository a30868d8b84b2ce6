import { bareModel, bestFit } from "../agents/names.ts";

/** How many tokens a model takes in at once, by its name; a star stands for any letters. */
export type ContextTokens = Readonly<Record<string, number>>;

/** Context sizes that are generally known, each rounded down where a model has several; the settings can say better. */
export const MODEL_BUDGETS: { asOf: string; models: ContextTokens; defaultTokens: number } = {
  asOf: "2025-11",
  models: {
    "claude*": 200_000,
    "sonnet*": 200_000,
    "opus*": 200_000,
    "haiku*": 200_000,
    "gpt-5*": 272_000,
    "codex*": 200_000,
    "gpt-4.1*": 1_000_000,
    "gpt-4o*": 128_000,
    "o3*": 200_000,
    "o4*": 200_000,
    "gemini*": 1_000_000,
  },
  // Of a model that nobody knows, only what every model of today takes is asked.
  defaultTokens: 100_000,
};

// The rest is for the agent's own instructions, the files that it opens, and its answer.
const PROMPT_SHARE = 0.5;
// Code has 3 to 4 bytes in a token; what is denser than this finds room in the other half.
const BYTES_PER_TOKEN = 2.5;

/** How many bytes a prompt to this model may have; names are tried in order, such as the model's and the agent's. */
export function promptBytes(names: readonly (string | undefined)[], own: ContextTokens = {}): number {
  return Math.floor(contextTokens(names, own) * PROMPT_SHARE * BYTES_PER_TOKEN);
}

/** At least as many tokens as a text of so many bytes has. */
export function estimatedTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

export function contextTokens(names: readonly (string | undefined)[], own: ContextTokens = {}): number {
  for (const name of names) {
    if (name === undefined) continue;
    const bare = bareModel(name);
    const known = bestFit(own, bare) ?? bestFit(MODEL_BUDGETS.models, bare);
    if (known !== undefined) return known;
  }
  return MODEL_BUDGETS.defaultTokens;
}
