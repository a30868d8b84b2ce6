/** How much one model takes in at once, by its name; `*` stands for any letters. The first pattern that fits counts. */
export interface ModelBudget {
  pattern: string;
  contextTokens: number;
}

/** Context sizes that are generally known, each rounded down where a model has several; the settings can say better. */
export const MODEL_BUDGETS: { asOf: string; models: readonly ModelBudget[]; defaultTokens: number } = {
  asOf: "2025-11",
  models: [
    { pattern: "claude*", contextTokens: 200_000 },
    { pattern: "sonnet*", contextTokens: 200_000 },
    { pattern: "opus*", contextTokens: 200_000 },
    { pattern: "haiku*", contextTokens: 200_000 },
    { pattern: "gpt-5*", contextTokens: 272_000 },
    { pattern: "codex*", contextTokens: 200_000 },
    { pattern: "gpt-4.1*", contextTokens: 1_000_000 },
    { pattern: "gpt-4o*", contextTokens: 128_000 },
    { pattern: "o3*", contextTokens: 200_000 },
    { pattern: "o4*", contextTokens: 200_000 },
    { pattern: "gemini*", contextTokens: 1_000_000 },
  ],
  // Of a model that nobody knows, only what every model of today takes is asked.
  defaultTokens: 100_000,
};

// The rest is for the agent's own instructions, the files that it opens, and its answer.
const PROMPT_SHARE = 0.5;
// Code has 3 to 4 bytes in a token; what is denser than this finds room in the other half.
const BYTES_PER_TOKEN = 2.5;

/** How many bytes a prompt to this model may have; names are tried in order, such as the model's and the agent's. */
export function promptBytes(names: readonly (string | undefined)[], own: readonly ModelBudget[] = []): number {
  return Math.floor(contextTokens(names, own) * PROMPT_SHARE * BYTES_PER_TOKEN);
}

/** At least as many tokens as a text of so many bytes has. */
export function estimatedTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

export function contextTokens(names: readonly (string | undefined)[], own: readonly ModelBudget[] = []): number {
  const budgets = [...own, ...MODEL_BUDGETS.models];
  for (const name of names) {
    if (name === undefined) continue;
    // A provider's name may stand before that of the model.
    const bare = name.toLowerCase().replace(/^.*\//, "");
    const found = budgets.find(({ pattern }) => fits(bare, pattern.toLowerCase()));
    if (found !== undefined) return found.contextTokens;
  }
  return MODEL_BUDGETS.defaultTokens;
}

function fits(name: string, pattern: string): boolean {
  const [head = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return name === head;
  if (!name.startsWith(head)) return false;
  let at = head.length;
  for (const piece of rest.slice(0, -1)) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  const tail = rest.at(-1) ?? "";
  return name.length - at >= tail.length && name.endsWith(tail);
}
