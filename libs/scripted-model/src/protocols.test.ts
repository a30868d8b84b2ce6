import { expect, test } from "vitest";
import type { ProtocolName } from "./request.ts";
import { startScriptedModel } from "./server.ts";
import { ask, send, wires } from "./testing/ask.ts";

const protocols = Object.keys(wires) as ProtocolName[];
const forms = protocols.flatMap((protocol) => [true, false].map((stream) => ({ protocol, stream })));

test.for(forms)(
  "$protocol (stream: $stream) carries a text of several words unchanged",
  async ({ protocol, stream }) => {
    const text = "Two lines\nand  a “quoted” word.\n";
    await using model = await startScriptedModel({ steps: [{ text }] });
    const said = await ask(model, protocol, { stream, tools: true });
    expect(said.text).toBe(text);
    expect(said.calls).toEqual([]);
    expect(said.stop).toBe({ anthropic: "end_turn", responses: "completed", chat: "stop", gemini: "STOP" }[protocol]);
  },
);

test.for(forms)("$protocol (stream: $stream) plays a conversation with tools", async ({ protocol, stream }) => {
  const input = { path: "a.txt", lines: [1, 2] };
  const calls = [
    { name: "edit", input },
    { name: "edit", input: { path: "b.txt" } },
  ];
  await using model = await startScriptedModel({ steps: [{ tools: calls, text: "I edit." }, { text: "Done." }] });

  const first = await ask(model, protocol, { stream, tools: true });
  expect(first.text).toBe("I edit.");
  expect(first.calls.map(({ name, input }) => ({ name, input }))).toEqual(calls);
  expect(new Set(first.calls.map((call) => call.id)).size).toBe(2);

  const second = await ask(model, protocol, { stream, tools: true, answered: { calls: first.calls, text: "edited" } });
  expect(second.text).toBe("Done.");
  expect(model.requests[1]).toMatchObject({
    lastRole: "tool",
    toolResults: first.calls.map(({ id }) => ({ id, text: "edited", isError: false })),
  });
  expect(model.stepsLeft()).toBe(0);
});

test.for(forms)("$protocol (stream: $stream) gives free text to a tool in the form that was offered", async (form) => {
  const patch = "*** Begin Patch\n*** End Patch\n";
  await using model = await startScriptedModel({ steps: [{ tools: [{ name: "apply_patch", input: patch }] }] });
  const { calls } = await ask(model, form.protocol, { stream: form.stream, tools: true });
  expect(calls[0]?.input).toEqual(form.protocol === "responses" ? patch : { input: patch });
});

test.for(forms)("$protocol (stream: $stream) answers a schema with a JSON text", async ({ protocol, stream }) => {
  await using model = await startScriptedModel({ steps: [{ structured: { path: "x", n: [1] } }] });
  const said = await ask(model, protocol, { stream, schema: true });
  expect(JSON.parse(said.text)).toEqual({ path: "x", n: [1] });
  expect(model.requests[0]).toMatchObject({ answeredBy: "step", structuredBy: "text" });
});

test("a structured answer goes through the StructuredOutput tool where that is offered", async () => {
  await using model = await startScriptedModel({ steps: [{ structured: { ok: true } }] });
  const body = { model: "claude-x", messages: [], tools: [{ name: "Read" }, { name: "StructuredOutput" }] };
  const response = await fetch(`${model.url}/v1/messages`, { method: "POST", body: JSON.stringify(body) });
  const said = wires.anthropic.readPlain(await response.json());
  expect(said.calls).toMatchObject([{ name: "StructuredOutput", input: { ok: true } }]);
  expect(said.stop).toBe("tool_use");
});

test("tools that Codex offers in an input item and in a namespace are recorded and called there", async () => {
  await using model = await startScriptedModel({ steps: [{ tools: [{ name: "exec", input: "1 + 1" }] }] });
  const tools = [{ type: "namespace", name: "functions", tools: [{ type: "custom", name: "exec" }] }];
  const body = { model: "gpt-x", input: [{ type: "additional_tools", role: "developer", tools }] };
  const response = await fetch(`${model.url}/v1/responses`, { method: "POST", body: JSON.stringify(body) });
  expect(await response.json()).toMatchObject({
    output: [{ type: "custom_tool_call", name: "exec", namespace: "functions", input: "1 + 1" }],
  });
  expect(model.requests[0]?.tools).toMatchObject([{ name: "exec", kind: "custom", namespace: "functions" }]);
});

const usage = { input: 7, output: 3, cacheRead: 11, cacheWrite: 5, reasoning: 2 };
const counted: Record<ProtocolName, unknown> = {
  anthropic: { input_tokens: 7, output_tokens: 3, cache_read_input_tokens: 11, cache_creation_input_tokens: 5 },
  responses: { input_tokens: 23, output_tokens: 3, input_tokens_details: { cached_tokens: 11 }, total_tokens: 26 },
  chat: { prompt_tokens: 23, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 11 } },
  gemini: { promptTokenCount: 23, candidatesTokenCount: 3, cachedContentTokenCount: 11, thoughtsTokenCount: 2 },
};

test.for(forms)("$protocol (stream: $stream) counts tokens in its own way", async ({ protocol, stream }) => {
  await using model = await startScriptedModel({ steps: [{ text: "ok", usage }] });
  expect((await ask(model, protocol, { stream, tools: true })).usage).toMatchObject(counted[protocol] as object);
});

const cutOff: Record<ProtocolName, string> = {
  anthropic: "max_tokens",
  responses: "incomplete",
  chat: "length",
  gemini: "MAX_TOKENS",
};

test.for(forms)("$protocol (stream: $stream) says that the length ran out", async ({ protocol, stream }) => {
  await using model = await startScriptedModel({ steps: [{ text: "half a", stop: "length" }] });
  expect((await ask(model, protocol, { stream, tools: true })).stop).toBe(cutOff[protocol]);
});

const errors: Record<ProtocolName, Record<number, unknown>> = {
  anthropic: {
    401: { type: "error", error: { type: "authentication_error" } },
    429: { type: "error", error: { type: "rate_limit_error" } },
    500: { type: "error", error: { type: "api_error" } },
    529: { type: "error", error: { type: "overloaded_error" } },
  },
  responses: { 401: { error: { code: "invalid_api_key" } }, 500: { error: { type: "server_error" } } },
  chat: { 429: { error: { code: "rate_limit_exceeded" } }, 529: { error: { type: "server_error" } } },
  gemini: { 429: { error: { status: "RESOURCE_EXHAUSTED" } }, 500: { error: { code: 500, status: "INTERNAL" } } },
};

test.for(
  protocols.flatMap((protocol) =>
    Object.entries(errors[protocol]).map(([status, body]) => ({ protocol, status: Number(status), body })),
  ),
)("$protocol answers $status in its error form with retry-after", async ({ protocol, status, body }) => {
  await using model = await startScriptedModel({ steps: [{ status, retryAfter: 3, message: "No." }] });
  const response = await send(model, protocol, { stream: true, tools: true });
  expect(response.status).toBe(status);
  expect(response.headers.get("retry-after")).toBe("3");
  expect(await response.json()).toMatchObject(body as object);
});
