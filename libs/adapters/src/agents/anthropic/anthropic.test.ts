import { startScriptedModel } from "@anneal/scripted-model";
import { expect, test } from "vitest";
import { apiSuite } from "../api/testing/api-suite.ts";
import { anthropicAgent } from "./index.ts";

apiSuite({
  name: "anthropic",
  make: anthropicAgent,
  keyVariable: "ANTHROPIC_API_KEY",
  env: (url) => ({ ANTHROPIC_BASE_URL: url }),
});

async function bodyFor(prompt: string, model?: string): Promise<Record<string, unknown>> {
  await using server = await startScriptedModel({ steps: [{ text: "ok" }], isSide: () => false });
  const agent = anthropicAgent({ env: { ANTHROPIC_API_KEY: "sk-0123456789", ANTHROPIC_BASE_URL: server.url } });
  const request = { role: "reviewer", prompt, cwd: "/", limits: { timeoutMs: 60_000 } } as const;
  await agent.run({ ...request, ...(model === undefined ? {} : { model }) }, new AbortController().signal);
  return server.requests[0]?.body as Record<string, unknown>;
}

test("what stays the same from run to run is the system prompt and cached; the rest is not", async () => {
  const { system, messages } = await bodyFor("Judge well.\n\n---\n\n## Data\n\nBetween n0nce lines.\n\nThe diff.");
  const cached = { cache_control: { type: "ephemeral" } };
  expect(system).toEqual([{ type: "text", text: "Judge well.", ...cached }]);
  const text = "---\n\n## Data\n\nBetween n0nce lines.\n\nThe diff.";
  expect(messages).toEqual([{ role: "user", content: [{ type: "text", text }] }]);
});

test("a prompt that cannot be told apart is cached whole", async () => {
  const { system, messages } = await bodyFor("Judge well.");
  expect(system).toBeUndefined();
  expect(messages).toEqual([
    { role: "user", content: [{ type: "text", text: "Judge well.", cache_control: { type: "ephemeral" } }] },
  ]);
});

test("a short name of a model becomes the name that the API knows", async () => {
  expect(await bodyFor("x", "opus")).toMatchObject({ model: expect.stringMatching(/^claude-opus-/) });
  expect(await bodyFor("x", "claude-test-1")).toMatchObject({ model: "claude-test-1" });
  expect(await bodyFor("x")).toMatchObject({ model: expect.stringMatching(/^claude-sonnet-/) });
});
