import { gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import type { ProtocolName } from "./request.ts";
import type { Guard } from "./script.ts";
import { startScriptedModel } from "./server.ts";
import { type Ask, ask, eventsOf, send, wires } from "./testing/ask.ts";

const protocols = Object.keys(wires) as ProtocolName[];
const forms = protocols.flatMap((protocol) => [true, false].map((stream) => ({ protocol, stream })));
const real = { stream: false, tools: true };

test.for(forms)("$protocol (stream: $stream): garbage is an HTTP success that nobody can read", async (form) => {
  await using model = await startScriptedModel({ steps: [{ garbage: true }] });
  const response = await send(model, form.protocol, { stream: form.stream, tools: true });
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(() => (form.stream ? eventsOf(text) : JSON.parse(text))).toThrow(SyntaxError);
});

test.for(forms)("$protocol (stream: $stream): a cut connection dies after a part of the answer", async (form) => {
  await using model = await startScriptedModel({ steps: [{ cut: true }] });
  const response = await send(model, form.protocol, { stream: form.stream, tools: true });
  const got: Uint8Array[] = [];
  const reading = (async () => {
    for await (const chunk of response.body!) got.push(chunk as Uint8Array);
  })();
  await expect(reading).rejects.toThrow();
  expect(got.length).toBeGreaterThan(0);
  expect(model.requests[0]?.outcome).toBe("broken");
});

test.for(protocols)("%s: closing the server ends a request that hangs", async (protocol) => {
  const model = await startScriptedModel({ steps: [{ hang: true }] });
  const answer = send(model, protocol, { stream: true, tools: true });
  const failed = expect(answer).rejects.toThrow();
  await model.until((requests) => requests.length === 1);
  await model.close();
  await failed;
});

test.for(forms)("$protocol (stream: $stream): a stalled answer begins and never ends", async (form) => {
  const model = await startScriptedModel({ steps: [{ hang: "mid-stream" }] });
  const response = await send(model, form.protocol, { stream: form.stream, tools: true });
  const reader = response.body!.getReader();
  expect((await reader.read()).value?.length).toBeGreaterThan(0);
  await model.close();
  const drain = async () => {
    while (!(await reader.read()).done);
  };
  await expect(drain()).rejects.toThrow();
});

test.for(forms)("$protocol (stream: $stream): a slow answer is whole in the end", async ({ protocol, stream }) => {
  await using model = await startScriptedModel({ steps: [{ drip: { text: "one two three", everyMs: 1 } }] });
  expect((await ask(model, protocol, { stream, tools: true })).text).toBe("one two three");
});

test("closing the server does not wait for a slow answer", async () => {
  const model = await startScriptedModel({ steps: [{ drip: { text: "one two", everyMs: 3_600_000 } }] });
  const response = await send(model, "anthropic", { stream: true, tools: true });
  const failed = expect(response.text()).rejects.toThrow();
  await model.close();
  await failed;
});

test("a client that goes away is recorded as such", async () => {
  await using model = await startScriptedModel({ steps: [{ hang: true }] });
  const controller = new AbortController();
  const failed = expect(send(model, "chat", real, controller.signal)).rejects.toThrow();
  await model.until((requests) => requests.length === 1);
  controller.abort();
  await model.until(([first]) => first?.outcome === "aborted");
  await failed;
});

test("a request is recorded with all but the value of its key", async () => {
  await using model = await startScriptedModel({ steps: [{ text: "ok" }], repeatLast: true });
  for (const protocol of protocols) await ask(model, protocol, { stream: true, tools: true });
  expect(model.requests.map(({ protocol, path, model, authorized }) => [protocol, path, model, authorized])).toEqual([
    ["anthropic", "/v1/messages", "claude-x", true],
    ["responses", "/v1/responses", "gpt-x", true],
    ["chat", "/v1/chat/completions", "gpt-x", true],
    ["gemini", "/v1beta/models/gemini-x:streamGenerateContent", "gemini-x", true],
  ]);
  expect(JSON.stringify(model.requests)).not.toMatch(/very-secret|key=k/);
  await fetch(`${model.url}/v1/messages`, { method: "POST", body: "{}" });
  expect(model.requests.at(-1)?.authorized).toBe(false);
});

test("a request beyond the script gets a status that clients do not retry", async () => {
  await using model = await startScriptedModel({ steps: [] });
  expect((await send(model, "responses", real)).status).toBe(400);
  expect(model.requests[0]?.answeredBy).toBe("nothing");
});

test.for([
  { name: "no tools", request: { stream: false } },
  { name: "a side model", request: { ...real, model: "claude-haiku-9" } },
])("a request with $name is a side request and takes no step", async ({ request }) => {
  await using model = await startScriptedModel({ steps: [{ text: "main" }], sideText: "a title" });
  expect((await ask(model, "anthropic", request)).text).toBe("a title");
  expect(model.requests[0]?.answeredBy).toBe("side");
  expect((await ask(model, "anthropic", real)).text).toBe("main");
});

test("a side request that asks for a schema gets the smallest answer that fits it", async () => {
  await using model = await startScriptedModel({ steps: [] });
  const properties = {
    choice: { type: "STRING", enum: ["flash", "pro"] },
    score: { anyOf: [{ type: "integer", minimum: 3 }, { type: "null" }] },
    tags: { type: "array", items: { type: "string" } },
    left: { type: "string" },
  };
  const responseSchema = { type: "OBJECT", properties, required: ["choice", "score", "tags"] };
  const body = { contents: [], generationConfig: { responseMimeType: "application/json", responseSchema } };
  const path = "/v1beta/models/gemini-3.5-flash-lite:generateContent";
  const response = await fetch(model.url + path, { method: "POST", body: JSON.stringify(body) });
  const said = wires.gemini.readPlain(await response.json());
  expect(JSON.parse(said.text)).toEqual({ choice: "flash", score: 3, tags: [] });
  expect(model.requests[0]?.answeredBy).toBe("side");
});

test("a test can declare that no request is a side request", async () => {
  await using model = await startScriptedModel({ steps: [{ text: "main" }], isSide: () => false });
  expect((await ask(model, "chat", { stream: true })).text).toBe("main");
});

test.for([
  { name: "a text in the prompt", when: { contains: "needle" }, request: { ...real, prompt: "hay needle hay" } },
  { name: "the model", when: { model: "opus" }, request: { ...real, model: "claude-opus-9" } },
  { name: "an offered tool", when: { offers: "edit" }, request: real },
  { name: "who spoke last", when: { role: "tool" }, request: toolTurn() },
  { name: "a side request's prompt", when: { contains: "title" }, request: { stream: false, prompt: "a title!" } },
] as { name: string; when: Guard; request: Ask }[])("a step waits for $name", async ({ when, request }) => {
  await using model = await startScriptedModel({
    steps: [{ text: "guarded", when }, { text: "open" }],
    repeatLast: true,
  });
  const other = when.offers === undefined ? real : { stream: false, schema: true };
  expect((await ask(model, "anthropic", other)).text).toBe("open");
  expect((await ask(model, "anthropic", request)).text).toBe("guarded");
  expect((await ask(model, "anthropic", request.tools === true ? request : real)).text).toBe("open");
  expect(model.requests.map((each) => each.step)).toEqual([1, 0, 1]);
});

test("a guard does not look into the descriptions of tools", async () => {
  await using model = await startScriptedModel({ steps: [{ text: "guarded", when: { contains: "apply_patch" } }] });
  expect((await send(model, "anthropic", real)).status).toBe(400);
});

test("the script can be replaced while it plays", async () => {
  await using model = await startScriptedModel({ steps: [{ text: "old" }, { text: "old too" }] });
  await ask(model, "gemini", real);
  model.play([{ text: "new" }]);
  expect(model.stepsLeft()).toBe(1);
  expect((await ask(model, "gemini", real)).text).toBe("new");
});

test.for([
  { encoding: "gzip", compress: gzipSync },
  { encoding: "zstd", compress: zstdCompressSync },
])("a body in $encoding is understood", async ({ encoding, compress }) => {
  await using model = await startScriptedModel({ steps: [{ text: "ok" }] });
  const body = compress(JSON.stringify(wires.responses.body(real)));
  const headers = { "content-encoding": encoding };
  expect((await fetch(`${model.url}/v1/responses`, { method: "POST", headers, body })).status).toBe(200);
  expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(["edit", "apply_patch"]);
});

test.for([
  { method: "HEAD", path: "/", status: 200, fragment: "" },
  { method: "GET", path: "/v1/models", status: 200, fragment: '"object":"list"' },
  { method: "GET", path: "/v1beta/models", status: 200, fragment: '"models":[' },
  { method: "POST", path: "/v1/messages/count_tokens", status: 200, fragment: '"input_tokens":' },
  { method: "POST", path: "/v1beta/models/gemini-x:countTokens", status: 200, fragment: '"totalTokens":' },
  { method: "POST", path: "/v1/elsewhere", status: 404, fragment: "/v1/elsewhere" },
])("$method $path answers $status and takes no step", async ({ method, path, status, fragment }) => {
  await using model = await startScriptedModel({ steps: [{ text: "kept" }] });
  const response = await fetch(model.url + path, { method, ...(method === "POST" ? { body: "{}" } : {}) });
  expect(response.status).toBe(status);
  expect(await response.text()).toContain(fragment);
  expect(model.stepsLeft()).toBe(1);
});

function toolTurn() {
  return { ...real, answered: { calls: [{ id: "toolu_1", name: "edit", input: {} }], text: "edited" } };
}
