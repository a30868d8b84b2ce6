import { isObject, listAt, objectAt, stringAt, textOf, type WireObject } from "../json.ts";
import type { ModelRequest, ToolOffer, ToolResult } from "../request.ts";
import { openaiError } from "./openai-error.ts";
import { type Call, type ModelReply, type Protocol, type ServerSentEvent, totalInput } from "./protocol.ts";

/** OpenAI Responses: `POST /v1/responses`. */
export const responses: Protocol = { name: "responses", read, frames, plain, error: openaiError };

function read(body: WireObject): ModelRequest {
  const input = listAt(body, "input");
  const spoken = input.findLastIndex((item) => fromModel(item));
  const toolResults = input.slice(spoken + 1).flatMap(toolResult);
  const format = objectAt(objectAt(body, "text"), "format");
  return {
    model: stringAt(body, "model") ?? "",
    stream: body.stream === true,
    tools: [body, ...input].flatMap((holder) => listAt(holder, "tools").flatMap((tool) => toolOffers(tool))),
    toolResults,
    structuredBy: structuredBy(body, format),
    schema: format?.schema,
    lastRole: toolResults.length > 0 ? "tool" : "user",
  };
}

function structuredBy(body: WireObject, format: WireObject | undefined): ModelRequest["structuredBy"] {
  const forced = objectAt(body, "tool_choice");
  if (forced?.type === "function") return { tool: stringAt(forced, "name") ?? "" };
  return format?.type === "json_schema" || format?.type === "json_object" ? "text" : undefined;
}

function fromModel(item: unknown): boolean {
  const type = stringAt(item, "type") ?? "";
  return stringAt(item, "role") === "assistant" || type.endsWith("_call") || type === "reasoning";
}

function toolResult(item: unknown): ToolResult[] {
  const type = stringAt(item, "type") ?? "";
  if (!isObject(item) || !type.endsWith("_call_output")) return [];
  return [{ id: stringAt(item, "call_id") ?? "", text: textOf(item.output), isError: false }];
}

// Codex puts the tools of its newer models into an input item, in namespaces; a built-in such as web_search has no name.
function toolOffers(tool: unknown, namespace?: string): ToolOffer[] {
  const type = stringAt(tool, "type") ?? "function";
  if (type === "namespace") {
    return listAt(tool, "tools").flatMap((inner) => toolOffers(inner, stringAt(tool, "name")));
  }
  return [
    {
      name: stringAt(tool, "name") ?? type,
      kind: type === "custom" ? "custom" : "function",
      ...(namespace === undefined ? {} : { namespace }),
      schema: objectAt(tool, "parameters") ?? objectAt(tool, "format"),
    },
  ];
}

function frames(reply: ModelReply): ServerSentEvent[] {
  const items = outputItems(reply);
  const started = { ...document(reply, []), status: "in_progress", usage: null };
  const ending = reply.stop === "length" ? "response.incomplete" : "response.completed";
  const events = [
    { type: "response.created", response: started },
    { type: "response.in_progress", response: started },
    ...items.flatMap((item, output_index) => [
      { type: "response.output_item.added", output_index, item: item.begun },
      ...item.deltas.map((delta) => ({ ...delta, item_id: item.id, output_index })),
      { type: "response.output_item.done", output_index, item: item.done },
    ]),
    { type: ending, response: plain(reply) },
  ];
  return events.map((event, sequence_number) => ({
    event: event.type,
    data: { ...event, sequence_number },
    isDelta: event.type.endsWith(".delta"),
  }));
}

function plain(reply: ModelReply) {
  return document(
    reply,
    outputItems(reply).map((item) => item.done),
  );
}

interface OutputItem {
  id: string;
  begun: WireObject;
  deltas: { type: string; [field: string]: unknown }[];
  done: WireObject;
}

function outputItems(reply: ModelReply): OutputItem[] {
  const text = reply.chunks.length > 0 ? [messageItem(reply)] : [];
  return [...text, ...reply.calls.map((call) => (call.kind === "custom" ? customItem(call) : functionItem(call)))];
}

function messageItem(reply: ModelReply): OutputItem {
  const id = `msg_${reply.id}`;
  const base = { type: "message", id, role: "assistant" };
  const text = reply.chunks.join("");
  const part =
    reply.stop === "refusal" ? { type: "refusal", refusal: text } : { type: "output_text", text, annotations: [] };
  const kind = reply.stop === "refusal" ? "refusal" : "output_text";
  const empty = reply.stop === "refusal" ? { ...part, refusal: "" } : { ...part, text: "" };
  return {
    id,
    begun: { ...base, status: "in_progress", content: [] },
    deltas: [
      { type: "response.content_part.added", content_index: 0, part: empty },
      ...reply.chunks.map((delta) => ({ type: `response.${kind}.delta`, content_index: 0, delta })),
      { type: `response.${kind}.done`, content_index: 0, ...(kind === "refusal" ? { refusal: text } : { text }) },
      { type: "response.content_part.done", content_index: 0, part },
    ],
    done: { ...base, status: "completed", content: [part] },
  };
}

function functionItem(call: Call): OutputItem {
  const { id, base } = callBase("function_call", call);
  const args = JSON.stringify(call.input);
  return {
    id,
    begun: { ...base, status: "in_progress", arguments: "" },
    deltas: [
      { type: "response.function_call_arguments.delta", delta: args },
      { type: "response.function_call_arguments.done", arguments: args },
    ],
    done: { ...base, status: "completed", arguments: args },
  };
}

function customItem(call: Call): OutputItem {
  const { id, base } = callBase("custom_tool_call", call);
  return {
    id,
    begun: { ...base, status: "in_progress", input: "" },
    deltas: [
      { type: "response.custom_tool_call_input.delta", delta: call.input },
      { type: "response.custom_tool_call_input.done", input: call.input },
    ],
    done: { ...base, status: "completed", input: call.input },
  };
}

function callBase(type: string, { id: call, name, namespace }: Call) {
  const id = `${type === "function_call" ? "fc" : "ctc"}_${call}`;
  return { id, base: { type, id, call_id: `call_${call}`, name, ...(namespace === undefined ? {} : { namespace }) } };
}

function document(reply: ModelReply, output: WireObject[]) {
  const { usage } = reply;
  const input = totalInput(usage);
  return {
    id: `resp_${reply.id}`,
    object: "response",
    created_at: 0,
    status: reply.stop === "length" ? "incomplete" : "completed",
    error: null,
    incomplete_details: reply.stop === "length" ? { reason: "max_output_tokens" } : null,
    model: reply.model,
    output,
    parallel_tool_calls: true,
    tool_choice: "auto",
    tools: [],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: usage.cacheRead },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: usage.reasoning },
      total_tokens: input + usage.output,
    },
  };
}
