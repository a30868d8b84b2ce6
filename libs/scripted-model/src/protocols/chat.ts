import { listAt, objectAt, stringAt, textOf, type WireObject } from "../json.ts";
import type { ModelRequest } from "../request.ts";
import { openaiError } from "./openai-error.ts";
import {
  type Call,
  inputObject,
  type ModelReply,
  type Protocol,
  type ServerSentEvent,
  totalInput,
} from "./protocol.ts";

/** OpenAI Chat Completions: `POST /v1/chat/completions`. */
export const chat: Protocol = { name: "chat", read, frames, plain, error: openaiError };

function read(body: WireObject): ModelRequest {
  const messages = listAt(body, "messages");
  const spoken = messages.findLastIndex((message) => stringAt(message, "role") === "assistant");
  const toolResults = messages.slice(spoken + 1).flatMap((message) => {
    if (stringAt(message, "role") !== "tool") return [];
    return [{ id: stringAt(message, "tool_call_id") ?? "", text: contentText(message), isError: false }];
  });
  const tools = listAt(body, "tools").map((tool) => ({
    name: stringAt(objectAt(tool, "function"), "name") ?? "",
    kind: "function" as const,
    schema: objectAt(objectAt(tool, "function"), "parameters"),
  }));
  return {
    model: stringAt(body, "model") ?? "",
    stream: body.stream === true,
    tools,
    toolResults,
    structuredBy: structuredBy(body, tools),
    schema: objectAt(objectAt(body, "response_format"), "json_schema")?.schema,
    lastRole: toolResults.length > 0 ? "tool" : "user",
  };
}

// opencode asks for a structured answer through a tool of this name too.
function structuredBy(body: WireObject, tools: readonly { name: string }[]): ModelRequest["structuredBy"] {
  if (tools.some((tool) => tool.name === "StructuredOutput")) return { tool: "StructuredOutput" };
  const forced = stringAt(objectAt(objectAt(body, "tool_choice"), "function"), "name");
  if (forced !== undefined) return { tool: forced };
  const format = stringAt(objectAt(body, "response_format"), "type");
  return format === "json_schema" || format === "json_object" ? "text" : undefined;
}

function contentText(message: unknown): string {
  const parts = listAt(message, "content");
  return stringAt(message, "content") ?? parts.map((part) => textOf(stringAt(part, "text"))).join("\n");
}

function frames(reply: ModelReply): ServerSentEvent[] {
  const { chunks, calls } = reply;
  return [
    { data: chunk(reply, { role: "assistant", content: "" }) },
    ...chunks.map((text) => ({ data: chunk(reply, textDelta(reply, text)), isDelta: true })),
    ...calls.map((call, index) => ({
      data: chunk(reply, { tool_calls: [{ index, ...toolCall(call) }] }),
      isDelta: true,
    })),
    { data: chunk(reply, {}, finishReason(reply)) },
    { data: { ...chunk(reply, {}), choices: [], usage: usage(reply) } },
    { data: "[DONE]" },
  ];
}

function chunk(reply: ModelReply, delta: WireObject, finish_reason: string | null = null) {
  return { ...head(reply), object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] };
}

function plain(reply: ModelReply) {
  const text = reply.chunks.length > 0 ? reply.chunks.join("") : null;
  const message = {
    role: "assistant",
    ...(text !== null && reply.stop === "refusal" ? textDelta(reply, text) : { content: text }),
    ...(reply.calls.length > 0 ? { tool_calls: reply.calls.map(toolCall) } : {}),
  };
  const choice = { index: 0, message, finish_reason: finishReason(reply) };
  return { ...head(reply), object: "chat.completion", choices: [choice], usage: usage(reply) };
}

function head(reply: ModelReply) {
  return { id: `chatcmpl-${reply.id}`, created: 0, model: reply.model };
}

function textDelta(reply: ModelReply, text: string) {
  return reply.stop === "refusal" ? { refusal: text } : { content: text };
}

function toolCall(call: Call) {
  return {
    id: `call_${call.id}`,
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(inputObject(call)) },
  };
}

function finishReason({ stop }: ModelReply): string {
  return { end: "stop", tools: "tool_calls", length: "length", refusal: "stop" }[stop];
}

function usage({ usage: tokens }: ModelReply) {
  const prompt = totalInput(tokens);
  return {
    prompt_tokens: prompt,
    completion_tokens: tokens.output,
    total_tokens: prompt + tokens.output,
    prompt_tokens_details: { cached_tokens: tokens.cacheRead },
    completion_tokens_details: { reasoning_tokens: tokens.reasoning },
  };
}
