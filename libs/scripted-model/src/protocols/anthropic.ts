import { isObject, listAt, objectAt, stringAt, textOf, type WireObject } from "../json.ts";
import type { ModelRequest, ToolResult } from "../request.ts";
import { type Call, inputObject, type ModelReply, type Protocol, type ServerSentEvent } from "./protocol.ts";

/** Anthropic Messages: `POST /v1/messages`. */
export const anthropic: Protocol = { name: "anthropic", read, frames, plain, error };

function read(body: WireObject): ModelRequest {
  const tools = listAt(body, "tools").map((tool) => ({
    name: stringAt(tool, "name") ?? "",
    kind: "function" as const,
    schema: objectAt(tool, "input_schema"),
  }));
  const last = listAt(body, "messages").findLast((message) => stringAt(message, "role") !== "system");
  const toolResults = stringAt(last, "role") === "user" ? listAt(last, "content").flatMap(toolResult) : [];
  return {
    model: stringAt(body, "model") ?? "",
    stream: body.stream === true,
    tools,
    toolResults,
    structuredBy: structuredBy(body, tools),
    schema: outputFormat(body)?.schema,
    lastRole: toolResults.length > 0 ? "tool" : "user",
  };
}

// Claude Code asks for a structured answer through a tool of this name; the API has a format of its own.
function structuredBy(body: WireObject, tools: readonly { name: string }[]): ModelRequest["structuredBy"] {
  const forced = objectAt(body, "tool_choice");
  if (tools.some((tool) => tool.name === "StructuredOutput")) return { tool: "StructuredOutput" };
  if (stringAt(forced, "type") === "tool") return { tool: stringAt(forced, "name") ?? "" };
  return outputFormat(body) === undefined ? undefined : "text";
}

function outputFormat(body: WireObject): WireObject | undefined {
  return objectAt(objectAt(body, "output_config"), "format") ?? objectAt(body, "output_format");
}

function toolResult(block: unknown): ToolResult[] {
  if (!isObject(block) || block.type !== "tool_result") return [];
  const content = block.content;
  const text = Array.isArray(content)
    ? content.map((part) => stringAt(part, "text") ?? "").join("\n")
    : textOf(content);
  return [{ id: stringAt(block, "tool_use_id") ?? "", text, isError: block.is_error === true }];
}

function frames(reply: ModelReply): ServerSentEvent[] {
  const textBlocks = reply.chunks.length > 0 ? 1 : 0;
  return [
    { type: "message_start", message: { ...message(reply, []), stop_reason: null, usage: usage(reply, 1) } },
    ...(textBlocks > 0 ? textFrames(reply.chunks) : []),
    ...reply.calls.flatMap((call, at) => callFrames(call, textBlocks + at)),
    {
      type: "message_delta",
      delta: { stop_reason: stopReason(reply), stop_sequence: null },
      usage: usage(reply, reply.usage.output),
    },
    { type: "message_stop" },
  ].map((data) => ({ event: data.type, data, isDelta: data.type === "content_block_delta" }));
}

function textFrames(chunks: readonly string[]) {
  return [
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    ...chunks.map((text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
    { type: "content_block_stop", index: 0 },
  ];
}

function callFrames(call: Call, index: number) {
  const partial_json = JSON.stringify(inputObject(call));
  return [
    { type: "content_block_start", index, content_block: { ...toolUse(call), input: {} } },
    { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json } },
    { type: "content_block_stop", index },
  ];
}

function plain(reply: ModelReply) {
  const text = reply.chunks.length > 0 ? [{ type: "text", text: reply.chunks.join("") }] : [];
  return message(reply, [...text, ...reply.calls.map(toolUse)]);
}

function message(reply: ModelReply, content: unknown[]) {
  return {
    id: `msg_${reply.id}`,
    type: "message",
    role: "assistant",
    model: reply.model,
    content,
    stop_reason: stopReason(reply),
    stop_sequence: null,
    usage: usage(reply, reply.usage.output),
  };
}

function toolUse(call: Call) {
  return { type: "tool_use", id: `toolu_${call.id}`, name: call.name, input: inputObject(call) };
}

function stopReason({ stop }: ModelReply): string {
  return { end: "end_turn", tools: "tool_use", length: "max_tokens", refusal: "refusal" }[stop];
}

function usage({ usage: { input, cacheRead, cacheWrite } }: ModelReply, output_tokens: number) {
  return {
    input_tokens: input,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens,
  };
}

function error(status: number, text: string) {
  return {
    type: "error",
    error: { type: errorTypes[status] ?? "api_error", message: text },
    request_id: "req_scripted",
  };
}

const errorTypes: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};
