import { isObject, listAt, objectAt, stringAt } from "../json.ts";
import type { ProtocolName } from "../request.ts";
import type { ScriptedModel } from "../server.ts";

export interface Said {
  text: string;
  calls: { id: string; name: string; input: unknown }[];
  stop: unknown;
  usage: unknown;
}

/** What a minimal client of each protocol sends, and how it understands the answer. */
export interface Wire {
  path(stream: boolean): string;
  body(options: Ask): Record<string, unknown>;
  readPlain(document: unknown): Said;
  readStream(events: unknown[]): Said;
}

export interface Ask {
  stream: boolean;
  prompt?: string;
  tools?: boolean;
  model?: string;
  /** The calls of the turn before, each answered with this text. */
  answered?: { calls: Said["calls"]; text: string };
  schema?: boolean;
}

const schema = { type: "object", properties: { path: { type: "string" } } };

const anthropic: Wire = {
  path: () => "/v1/messages",
  body: ({ stream, prompt = "hi", tools, model = "claude-x", answered, schema: asks }) => ({
    model,
    stream,
    max_tokens: 10,
    messages: [
      { role: "user", content: prompt },
      ...(answered === undefined
        ? []
        : [
            { role: "assistant", content: answered.calls.map((call) => ({ type: "tool_use", ...call })) },
            {
              role: "user",
              content: answered.calls.map(({ id }) => ({
                type: "tool_result",
                tool_use_id: id,
                content: answered.text,
              })),
            },
          ]),
    ],
    ...(tools === true ? { tools: ["edit", "apply_patch"].map((name) => ({ name, input_schema: schema })) } : {}),
    ...(asks === true ? { output_config: { format: { type: "json_schema", schema } } } : {}),
  }),
  readPlain: (document) => {
    const blocks = listAt(document, "content");
    return {
      text: blocks.map((block) => stringAt(block, "text") ?? "").join(""),
      calls: blocks
        .filter((block) => stringAt(block, "type") === "tool_use")
        .map((block) => ({
          id: stringAt(block, "id")!,
          name: stringAt(block, "name")!,
          input: objectAt(block, "input"),
        })),
      stop: stringAt(document, "stop_reason"),
      usage: objectAt(document, "usage"),
    };
  },
  readStream: (events) => {
    const deltas = (type: string, key: string, index?: unknown) =>
      events
        .filter((event) => index === undefined || (isObject(event) && event.index === index))
        .map((event) => objectAt(event, "delta"))
        .filter((delta) => delta?.type === type)
        .map((delta) => stringAt(delta, key))
        .join("");
    const starts = events.filter((event) => stringAt(objectAt(event, "content_block"), "type") === "tool_use");
    const ending = events.find((event) => stringAt(event, "type") === "message_delta");
    return {
      text: deltas("text_delta", "text"),
      calls: starts.map((start) => ({
        id: stringAt(objectAt(start, "content_block"), "id")!,
        name: stringAt(objectAt(start, "content_block"), "name")!,
        input: JSON.parse(deltas("input_json_delta", "partial_json", isObject(start) ? start.index : 0)),
      })),
      stop: objectAt(ending, "delta")?.stop_reason,
      usage: objectAt(ending, "usage"),
    };
  },
};

const responses: Wire = {
  path: () => "/v1/responses",
  body: ({ stream, prompt = "hi", tools, model = "gpt-x", answered, schema: asks }) => ({
    model,
    stream,
    input: [
      { type: "message", role: "user", content: [{ type: "input_text", text: prompt }] },
      ...(answered?.calls ?? []).map(({ id, name }) => ({ type: "function_call", call_id: id, name, arguments: "{}" })),
      ...(answered?.calls ?? []).map(({ id }) => ({
        type: "function_call_output",
        call_id: id,
        output: answered?.text,
      })),
    ],
    ...(tools === true
      ? {
          tools: [
            { type: "function", name: "edit", parameters: schema },
            { type: "custom", name: "apply_patch", format: { type: "grammar" } },
          ],
        }
      : {}),
    ...(asks === true ? { text: { format: { type: "json_schema", name: "s", schema } } } : {}),
  }),
  readPlain: (document) => {
    const items = listAt(document, "output");
    return {
      text: items
        .flatMap((item) => listAt(item, "content"))
        .map((part) => stringAt(part, "text") ?? "")
        .join(""),
      calls: items
        .filter((item) => stringAt(item, "call_id") !== undefined)
        .map((item) => ({
          id: stringAt(item, "call_id")!,
          name: stringAt(item, "name")!,
          input:
            stringAt(item, "type") === "custom_tool_call"
              ? stringAt(item, "input")
              : JSON.parse(stringAt(item, "arguments")!),
        })),
      stop: stringAt(document, "status"),
      usage: objectAt(document, "usage"),
    };
  },
  readStream: (events) => {
    const last = objectAt(events.at(-1), "response");
    const whole = responses.readPlain(last);
    const deltas = events.filter((event) => stringAt(event, "type") === "response.output_text.delta");
    const text = deltas.map((event) => stringAt(event, "delta")).join("");
    const done = events.filter((event) => stringAt(event, "type") === "response.output_item.done");
    const { calls } = responses.readPlain({ output: done.map((event) => objectAt(event, "item")) });
    return { ...whole, text, calls };
  },
};

const chat: Wire = {
  path: () => "/v1/chat/completions",
  body: ({ stream, prompt = "hi", tools, model = "gpt-x", answered, schema: asks }) => ({
    model,
    stream,
    messages: [
      { role: "user", content: prompt },
      ...(answered === undefined
        ? []
        : [
            {
              role: "assistant",
              tool_calls: answered.calls.map(({ id, name }) => ({ id, type: "function", function: { name } })),
            },
            ...answered.calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: answered.text })),
          ]),
    ],
    ...(tools === true
      ? { tools: ["edit", "apply_patch"].map((name) => ({ type: "function", function: { name, parameters: schema } })) }
      : {}),
    ...(asks === true ? { response_format: { type: "json_schema", json_schema: { name: "s", schema } } } : {}),
  }),
  readPlain: (document) => readChat([document], "message"),
  readStream: (events) => readChat(events, "delta"),
};

function readChat(documents: unknown[], key: "message" | "delta"): Said {
  const choices = documents.flatMap((document) => listAt(document, "choices"));
  const parts = choices.map((choice) => objectAt(choice, key));
  return {
    text: parts.map((part) => stringAt(part, "content") ?? "").join(""),
    calls: parts
      .flatMap((part) => listAt(part, "tool_calls"))
      .map((call) => ({
        id: stringAt(call, "id")!,
        name: stringAt(objectAt(call, "function"), "name")!,
        input: JSON.parse(stringAt(objectAt(call, "function"), "arguments")!),
      })),
    stop: choices.map((choice) => stringAt(choice, "finish_reason")).find((reason) => reason !== undefined),
    usage: documents.map((document) => objectAt(document, "usage")).find((usage) => usage !== undefined),
  };
}

const gemini: Wire = {
  path: (stream) => `/v1beta/models/gemini-x:${stream ? "streamGenerateContent?alt=sse&key=k" : "generateContent"}`,
  body: ({ prompt = "hi", tools, answered, schema: asks }) => ({
    contents: [
      { role: "user", parts: [{ text: prompt }] },
      ...(answered === undefined
        ? []
        : [
            { role: "model", parts: answered.calls.map(({ id, name }) => ({ functionCall: { id, name } })) },
            {
              role: "user",
              parts: answered.calls.map(({ id, name }) => ({
                functionResponse: { id, name, response: { output: answered.text } },
              })),
            },
          ]),
    ],
    ...(tools === true
      ? { tools: [{ functionDeclarations: ["edit", "apply_patch"].map((name) => ({ name, parameters: schema })) }] }
      : {}),
    ...(asks === true ? { generationConfig: { responseMimeType: "application/json", responseSchema: schema } } : {}),
  }),
  readPlain: (document) => gemini.readStream([document]),
  readStream: (events) => {
    const parts = events
      .flatMap((event) => listAt(event, "candidates"))
      .flatMap((candidate) => listAt(objectAt(candidate, "content"), "parts"));
    const ending = events.at(-1);
    return {
      text: parts.map((part) => stringAt(part, "text") ?? "").join(""),
      calls: parts
        .map((part) => objectAt(part, "functionCall"))
        .filter((call) => call !== undefined)
        .map((call) => ({ id: stringAt(call, "id")!, name: stringAt(call, "name")!, input: call.args })),
      stop: stringAt(listAt(ending, "candidates")[0], "finishReason"),
      usage: objectAt(ending, "usageMetadata"),
    };
  },
};

export const wires: Record<ProtocolName, Wire> = { anthropic, responses, chat, gemini };

export function send(model: ScriptedModel, protocol: ProtocolName, ask: Ask, signal?: AbortSignal): Promise<Response> {
  const wire = wires[protocol];
  return fetch(model.url + wire.path(ask.stream), {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer very-secret" },
    body: JSON.stringify(wire.body(ask)),
    ...(signal === undefined ? {} : { signal }),
  });
}

export async function ask(model: ScriptedModel, protocol: ProtocolName, options: Ask): Promise<Said> {
  const response = await send(model, protocol, options);
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
  const wire = wires[protocol];
  return options.stream ? wire.readStream(eventsOf(await response.text())) : wire.readPlain(await response.json());
}

export function eventsOf(text: string): unknown[] {
  return text
    .split("\n\n")
    .flatMap((block) => /^data: (.*)$/m.exec(block)?.[1] ?? [])
    .filter((data) => data !== "[DONE]")
    .map((data) => JSON.parse(data));
}
