import { startScriptedModel } from "@anneal/scripted-model";
import { expect, onTestFinished, test, vi } from "vitest";
import type { AgentEvent } from "../../ports.ts";
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

test("what the SDK has to say about a model is a remark of the run, and goes nowhere else", async () => {
  const warned = vi.spyOn(console, "warn");
  onTestFinished(() => warned.mockRestore());
  await using server = await startScriptedModel({ steps: [{ text: "ok" }], isSide: () => false });
  const agent = anthropicAgent({ env: { ANTHROPIC_API_KEY: "sk-0123456789", ANTHROPIC_BASE_URL: server.url } });
  const notes: string[] = [];
  const request = { role: "reviewer", prompt: "x", cwd: "/", limits: { timeoutMs: 60_000 } } as const;
  const onEvent = (event: AgentEvent) => void (event.kind === "note" && notes.push(event.text));
  await agent.run({ ...request, model: "claude-sonnet-4-5", onEvent }, new AbortController().signal);
  expect(notes.join("\n")).toContain("deprecated");
  expect(warned).not.toHaveBeenCalled();
});

test("a short name of a model becomes the name that the API knows", async () => {
  expect(await bodyFor("x", "opus")).toMatchObject({ model: expect.stringMatching(/^claude-opus-/) });
  expect(await bodyFor("x", "claude-test-1")).toMatchObject({ model: "claude-test-1" });
  expect(await bodyFor("x")).toMatchObject({ model: expect.stringMatching(/^claude-sonnet-/) });
});
