import { describe, expect, test } from "vitest";
import { UsageError } from "../errors/errors.ts";
import { ProviderFactory, resolveModelString } from "./model-provider.ts";

describe("resolveModelString", () => {
  test.for([
    { model: "opus", defaultModel: "sonnet", is: "opus" },
    { model: " gpt-5 ", defaultModel: undefined, is: "gpt-5" },
    { model: undefined, defaultModel: "sonnet", is: "sonnet" },
    { model: "", defaultModel: "sonnet", is: "sonnet" },
    { model: "", defaultModel: undefined, is: undefined },
  ])("$model of the feature and $defaultModel of the settings: $is", ({ model, defaultModel, is }) => {
    expect(resolveModelString(model, defaultModel)).toBe(is);
  });
});

describe("ProviderFactory.getProviderNameForModel", () => {
  test.for([
    ["claude-opus-4-5-20251101", "claude"],
    ["sonnet", "claude"],
    ["gpt-5.1-codex", "codex"],
    ["gemini-2.5-pro", "gemini"],
    ["house-large", "mine"],
  ] as const)("%s is run by %s", ([model, name]) => {
    expect(ProviderFactory.getProviderNameForModel(model, { "house-*": "mine" })).toBe(name);
  });

  test("a model that nobody knows is an error that says how to name its agent", () => {
    const asked = () => ProviderFactory.getProviderNameForModel("llama-9");
    expect(asked).toThrow(UsageError);
    expect(asked).toThrow('"modelAgents": {"llama-9": "AGENT"}');
  });
});
