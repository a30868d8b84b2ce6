import type { Price, Usage } from "@anneal/types";
import { atMost, believable } from "./believable.ts";
import { bareModel, bestFit } from "./names.ts";

/** When the list was last compared with what the providers publish. */
export const PRICES_AS_OF = "2025-11";

/** List prices in US dollars for a million tokens. A model that is not here costs an unknown amount. */
export const PRICES: Readonly<Record<string, Price>> = {
  "claude-opus-4-5*": { input: 5, cachedInput: 0.5, output: 25 },
  "claude-opus-4-1*": { input: 15, cachedInput: 1.5, output: 75 },
  "claude-sonnet-4*": { input: 3, cachedInput: 0.3, output: 15 },
  "claude-haiku-4-5*": { input: 1, cachedInput: 0.1, output: 5 },
  "gpt-5": { input: 1.25, cachedInput: 0.125, output: 10 },
  "gpt-5-codex": { input: 1.25, cachedInput: 0.125, output: 10 },
  "gpt-5.1": { input: 1.25, cachedInput: 0.125, output: 10 },
  "gpt-5.1-codex": { input: 1.25, cachedInput: 0.125, output: 10 },
  "gpt-5-mini": { input: 0.25, cachedInput: 0.025, output: 2 },
  "gpt-5-nano": { input: 0.05, cachedInput: 0.005, output: 0.4 },
  "gemini-2.5-flash": { input: 0.3, cachedInput: 0.03, output: 2.5 },
};

/** Prices by the names of models. */
export type PriceList = Readonly<Record<string, Price>>;

/**
 * What a run cost: as reported, else by the prices where everything that they need is known, else unknown. `others` are
 * those of a repository: they count where they are the only ones, or the higher ones, so that no cap is lifted by them.
 */
export function priced(claimed: Usage, model: string | undefined, own: PriceList = {}, others: PriceList = {}): Usage {
  const usage = believable(claimed);
  const { inputTokens, cachedInputTokens = 0, outputTokens, costUsd } = usage;
  if (costUsd !== undefined || model === undefined || inputTokens === undefined || outputTokens === undefined) {
    return usage;
  }
  const of = (list: PriceList) => bestFit(list, model) ?? bestFit(list, bareModel(model));
  const prices = [of(own) ?? bestFit(PRICES, bareModel(model)), of(others)].filter((price) => price !== undefined);
  if (prices.length === 0) return usage;
  const cached = Math.min(cachedInputTokens, inputTokens);
  const costs = prices.map(
    (price) =>
      (inputTokens - cached) * price.input + cached * (price.cachedInput ?? price.input) + outputTokens * price.output,
  );
  // Not unknown where it is too much: a price that is too high would lift every cap.
  return { ...usage, costUsd: atMost("costUsd", Math.max(...costs) / 1_000_000), costEstimated: true };
}
