import { describe, expect, test } from "vitest";
import { agentOfModel, PRICES, PRICES_AS_OF, priced, runsModel } from "./index.ts";

describe("the agent of a model", () => {
  test.for([
    ["claude-sonnet-4-5", "claude"],
    ["sonnet", "claude"],
    ["opus", "claude"],
    ["opusplan", "claude"],
    ["haiku", "claude"],
    ["gpt-5.1", "codex"],
    ["codex-mini-latest", "codex"],
    ["o3", "codex"],
    ["o4-mini", "codex"],
    ["gemini-2.5-pro", "gemini"],
    ["GPT-5", "codex"],
    ["anthropic/claude-sonnet-4-5", "opencode"],
    ["cursor-small", "cursor"],
    ["llama-4", undefined],
    ["o30", undefined],
    ["", undefined],
  ] as const)("%s is run by %s", ([model, agent]) => expect(agentOfModel(model)).toBe(agent));

  test("the user's word wins, the exact name over the longest beginning over shorter ones", () => {
    const own = { "claude*": "opencode", "claude-opus*": "cursor", "claude-opus-4-5": "anthropic", "qwen*": "local" };
    expect(
      ["claude-haiku", "claude-opus-4-1", "claude-opus-4-5", "qwen3", "gpt-5"].map((m) => agentOfModel(m, own)),
    ).toEqual(["opencode", "cursor", "anthropic", "local", "codex"]);
  });
});

test.for([
  ["claude", "sonnet", true],
  ["claude", "gpt-5", false],
  ["anthropic", "claude-opus-4-5", true],
  ["openai", "gpt-5", true],
  ["codex", "gemini-2.5-pro", false],
  ["gemini", "gemini-2.5-pro", true],
  ["opencode", "gpt-5", true],
  ["scripted", "gpt-5", true],
  ["claude", "my-own-model", true],
  ["claude", "anthropic/claude-opus-4-5", false],
] as const)("%s and the model %s: %s", ([agent, model, runs]) => expect(runsModel(agent, model)).toBe(runs));

describe("the cost of a run", () => {
  const tokens = { inputTokens: 1_000_000, outputTokens: 100_000 };

  test.for([
    { what: "as reported", usage: { ...tokens, costUsd: 9 }, model: "gpt-5", cost: { costUsd: 9 } },
    { what: "by the list", usage: tokens, model: "gpt-5", cost: { costUsd: 2.25, costEstimated: true } },
    {
      what: "of a dated model",
      usage: tokens,
      model: "claude-sonnet-4-5-20250929",
      cost: { costUsd: 4.5, costEstimated: true },
    },
    {
      what: "with a house in front",
      usage: tokens,
      model: "openai/gpt-5",
      cost: { costUsd: 2.25, costEstimated: true },
    },
    {
      what: "cheaper for what came from the cache",
      usage: { ...tokens, cachedInputTokens: 800_000 },
      model: "gpt-5",
      cost: { costUsd: 0.2 * 1.25 + 0.8 * 0.125 + 1, costEstimated: true },
    },
    { what: "unknown for a model without a price", usage: tokens, model: "gpt-5-tomorrow", cost: {} },
    { what: "unknown without a model", usage: tokens, model: undefined, cost: {} },
    { what: "unknown where output was not counted", usage: { inputTokens: 5 }, model: "gpt-5", cost: {} },
  ])("is $what", ({ usage, model, cost }) => {
    const { costUsd, costEstimated } = priced(usage, model);
    expect(costUsd).toEqual(cost.costUsd === undefined ? undefined : expect.closeTo(cost.costUsd, 9));
    expect(costEstimated).toBe(cost.costEstimated);
  });

  test("the user's prices win over the list", () => {
    expect(priced(tokens, "gpt-5", { "gpt-*": { input: 1, output: 1 } }).costUsd).toBeCloseTo(1.1);
  });

  test("a repository's prices fill gaps and raise, but lower nothing", () => {
    const zero = { "*": { input: 0, output: 0 } };
    const dear = { "*": { input: 100, output: 0 } };
    const own = { "gpt-5": { input: 7, output: 0 } };
    expect(priced(tokens, "gpt-5", {}, zero).costUsd).toBe(priced(tokens, "gpt-5").costUsd);
    expect(priced(tokens, "gpt-5", own, zero).costUsd).toBeCloseTo(7);
    expect(priced(tokens, "gpt-5", own, dear).costUsd).toBeCloseTo(100);
    expect(priced(tokens, "nobody-knows", {}, dear).costUsd).toBeCloseTo(100);
  });

  test("the list says when it was made, and every price is sensible", () => {
    expect(PRICES_AS_OF).toMatch(/^\d{4}-\d{2}$/);
    for (const { input, cachedInput, output } of Object.values(PRICES)) {
      expect(output).toBeGreaterThanOrEqual(input);
      expect(cachedInput ?? input).toBeLessThanOrEqual(input);
    }
  });
});
