import { expect, test } from "vitest";
import { contextTokens, estimatedTokens, MODEL_BUDGETS, promptBytes } from "./model-budgets.ts";

test.for([
  { names: ["claude-sonnet-4-5"], tokens: 200_000 },
  { names: ["Sonnet"], tokens: 200_000 },
  { names: ["openai/gpt-5.1-codex"], tokens: 272_000 },
  { names: ["gemini-2.5-pro"], tokens: 1_000_000 },
  { names: [undefined, "claude"], tokens: 200_000 },
  { names: ["my-model", "claude"], tokens: 200_000 },
  { names: ["my-model"], tokens: MODEL_BUDGETS.defaultTokens },
  { names: [], tokens: MODEL_BUDGETS.defaultTokens },
])("$names takes $tokens tokens", ({ names, tokens }) => {
  expect(contextTokens(names)).toBe(tokens);
});

test("what the settings say of a model wins", () => {
  expect(contextTokens(["claude-opus-9"], { "claude-*-9": 500_000 })).toBe(500_000);
  expect(contextTokens(["claude-opus-8"], { "claude-*-9": 500_000 })).toBe(200_000);
});

test("a prompt takes half of what the model does, counted so that dense text fits too", () => {
  const bytes = promptBytes(["claude-sonnet-4-5"]);
  expect(estimatedTokens(bytes)).toBe(100_000);
});
