import type { WireObject } from "./json.ts";
import type { Call, ModelReply } from "./protocols/protocol.ts";
import type { ModelRequest } from "./request.ts";
import type { ScriptAction, TokenCounts, ToolCall } from "./script.ts";

export type Speech = Extract<ScriptAction, { text: string } | { tools: unknown } | { structured: unknown }>;

/** Turns what a step says into a reply that fits the request's model and tools. */
export function replyTo(request: ModelRequest, speech: Speech, usage: TokenCounts | undefined, id: string): ModelReply {
  const { text, calls } = spoken(request, speech);
  return {
    id,
    model: request.model,
    chunks: text === undefined ? [] : pieces(text),
    calls: calls.map((call, at) => callFor(request, call, `${id}_${at}`)),
    stop: calls.length > 0 ? "tools" : "stop" in speech ? (speech.stop ?? "end") : "end",
    usage: { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, reasoning: 0, ...usage },
  };
}

function spoken(request: ModelRequest, speech: Speech): { text: string | undefined; calls: readonly ToolCall[] } {
  if ("tools" in speech) return { text: speech.text, calls: speech.tools };
  if (!("structured" in speech)) return { text: speech.text, calls: [] };
  const { structuredBy } = request;
  if (typeof structuredBy !== "object") return { text: JSON.stringify(speech.structured), calls: [] };
  return { text: speech.text, calls: [{ name: structuredBy.tool, input: speech.structured as WireObject }] };
}

/** The offered tool decides between an object and free text; a tool that was not offered goes by its input. */
function callFor(request: ModelRequest, { name, input }: ToolCall, id: string): Call {
  const offer = request.tools.find((tool) => tool.name === name);
  const named = { id, name, ...(offer?.namespace === undefined ? {} : { namespace: offer.namespace }) };
  const kind = offer?.kind ?? (typeof input === "string" ? "custom" : "function");
  return kind === "custom"
    ? { ...named, kind, input: typeof input === "string" ? input : JSON.stringify(input) }
    : { ...named, kind, input: typeof input === "string" ? { input } : input };
}

/** Words with the space after them, so that a stream has several deltas and joins to the same text. */
function pieces(text: string): string[] {
  const words = text.match(/\S*\s*/g)?.filter((word) => word !== "") ?? [];
  if (words.length <= maxPieces) return words.length > 0 ? words : [""];
  const size = Math.ceil(text.length / maxPieces);
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
}

const maxPieces = 40;
