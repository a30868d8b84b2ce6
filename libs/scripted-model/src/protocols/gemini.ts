import { listAt, objectAt, stringAt, textOf, type WireObject } from "../json.ts";
import type { ModelRequest, ToolResult } from "../request.ts";
import {
  type Call,
  inputObject,
  type ModelReply,
  type Protocol,
  type ServerSentEvent,
  totalInput,
} from "./protocol.ts";

/** Gemini: `POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent`. */
export const gemini: Protocol = { name: "gemini", read, frames, plain, error };

function read(body: WireObject, path: string): ModelRequest {
  const last = listAt(body, "contents").at(-1);
  const toolResults = listAt(last, "parts").flatMap(toolResult);
  const config = objectAt(body, "generationConfig");
  const asksJson = stringAt(config, "responseMimeType") === "application/json";
  return {
    model: /models\/([^/:]+)/.exec(path)?.[1] ?? "",
    stream: path.endsWith(":streamGenerateContent"),
    tools: listAt(body, "tools")
      .flatMap((tool) => listAt(tool, "functionDeclarations"))
      .map((tool) => ({
        name: stringAt(tool, "name") ?? "",
        kind: "function",
        schema: objectAt(tool, "parametersJsonSchema") ?? objectAt(tool, "parameters"),
      })),
    toolResults,
    structuredBy: asksJson ? "text" : undefined,
    schema: config?.responseJsonSchema ?? config?.responseSchema,
    lastRole: toolResults.length > 0 ? "tool" : "user",
  };
}

function toolResult(part: unknown): ToolResult[] {
  const found = objectAt(part, "functionResponse");
  if (found === undefined) return [];
  const response = objectAt(found, "response") ?? {};
  const text = textOf(response.output ?? response.error ?? response);
  return [{ id: stringAt(found, "id") ?? stringAt(found, "name") ?? "", text, isError: "error" in response }];
}

function frames(reply: ModelReply): ServerSentEvent[] {
  return [
    ...reply.chunks.map((text) => ({ data: candidate(reply, [{ text }]), isDelta: true })),
    ...(reply.calls.length > 0 ? [{ data: candidate(reply, reply.calls.map(functionCall)), isDelta: true }] : []),
    { data: ending(reply, [{ text: "" }]) },
  ];
}

function plain(reply: ModelReply) {
  const text = reply.chunks.length > 0 ? [{ text: reply.chunks.join("") }] : [];
  return ending(reply, [...text, ...reply.calls.map(functionCall)]);
}

function ending(reply: ModelReply, parts: WireObject[]) {
  const { usage, stop } = reply;
  const document = candidate(reply, parts);
  const finishReason = { end: "STOP", tools: "STOP", length: "MAX_TOKENS", refusal: "SAFETY" }[stop];
  return {
    ...document,
    candidates: document.candidates.map((each) => ({ ...each, finishReason })),
    usageMetadata: {
      promptTokenCount: totalInput(usage),
      cachedContentTokenCount: usage.cacheRead,
      candidatesTokenCount: usage.output,
      thoughtsTokenCount: usage.reasoning,
      totalTokenCount: totalInput(usage) + usage.output + usage.reasoning,
    },
  };
}

function candidate(reply: ModelReply, parts: WireObject[]) {
  return {
    candidates: [{ index: 0, content: { role: "model", parts } }],
    modelVersion: reply.model,
    responseId: reply.id,
  };
}

function functionCall(call: Call) {
  return { functionCall: { id: `call_${call.id}`, name: call.name, args: inputObject(call) } };
}

function error(code: number, message: string, retryAfter?: number) {
  const status = statuses[code] ?? (code < 500 ? "INVALID_ARGUMENT" : "INTERNAL");
  const type = "type.googleapis.com/google.rpc.RetryInfo";
  const details = retryAfter === undefined ? [] : [{ "@type": type, retryDelay: `${retryAfter}s` }];
  return { error: { code, message, status, details } };
}

const statuses: Record<number, string> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};
