import { expect, test } from "vitest";
import { providerOf } from "./provider-of.ts";

test.for([
  { model: "claude-opus-4-5", agent: "cursor", provider: "anthropic" },
  { model: "claude-sonnet-4-5-20250929", agent: "x", provider: "anthropic" },
  { model: "sonnet", agent: "x", provider: "anthropic" },
  { model: "opus", agent: "x", provider: "anthropic" },
  { model: "Haiku", agent: "x", provider: "anthropic" },
  { model: "anthropic/claude-haiku-4-5", agent: "opencode", provider: "anthropic" },
  { model: "gpt-5.2", agent: "x", provider: "openai" },
  { model: "codex-mini-latest", agent: "x", provider: "openai" },
  { model: "o3", agent: "x", provider: "openai" },
  { model: "o4-mini", agent: "x", provider: "openai" },
  { model: "gemini-3-pro", agent: "x", provider: "google" },
  { model: "qwen3-coder", agent: "opencode", provider: "opencode" },
  { model: "ollama", agent: "opencode", provider: "opencode" },
  { model: "gpt", agent: "scripted", provider: "scripted" },
  { model: "", agent: "scripted", provider: "scripted" },
  { model: undefined, agent: "scripted", provider: "scripted" },
  { model: undefined, agent: "claude", provider: "anthropic" },
  { model: undefined, agent: "codex", provider: "openai" },
  { model: "unheard-of", agent: "gemini", provider: "google" },
])("the model $model played by $agent comes from $provider", ({ model, agent, provider }) => {
  expect(providerOf({ model, agent })).toBe(provider);
});
