import type { Usage } from "@anneal/types";
import type { MessageCreateParamsStreaming, StopReason } from "@anthropic-ai/sdk/resources/messages";
import type { ApiAnswer, ApiRequest } from "../api/api-agent.ts";
import { clientOptions } from "../api/client-options.ts";
import { promptParts } from "../api/prompt-parts.ts";

/** Asks the Messages API for one answer, as a stream. The SDK is loaded only here. */
export async function askAnthropic(question: ApiRequest): Promise<ApiAnswer> {
  const { default: Anthropic } = await import("@anthropic-ai/sdk");
  const client = new Anthropic(clientOptions(question));
  const params = await body(question);
  const stream = await overheard(() => client.messages.create(params, { signal: question.signal }), question.onNote);
  const counts: Counts = {};
  let text = "";
  let model: string | undefined;
  let reason: StopReason | null = null;
  let hasEnded = false;
  for await (const event of stream) {
    if (event.type === "message_start") {
      model = event.message.model;
      count(counts, event.message.usage);
    } else if (event.type === "content_block_delta" && event.delta.type === "text_delta") {
      text += event.delta.text;
      question.onText(event.delta.text);
    } else if (event.type === "message_delta") {
      reason = event.delta.stop_reason;
      count(counts, event.usage);
    } else if (event.type === "message_stop") {
      hasEnded = true;
    }
    question.used(usageOf(counts), model);
  }
  return { end: hasEnded ? endOf(reason) : "missing", text, ...(reason === null ? {} : { reason }) };
}

/** The SDK warns of old models on the console whatever its logging setting is; in a run that is a remark like others. */
function overheard<T>(start: () => T, onNote: (text: string) => void): T {
  const { warn } = console;
  console.warn = (...words: unknown[]) => onNote(words.join(" "));
  try {
    return start();
  } finally {
    console.warn = warn;
  }
}

async function body({ prompt, schema, model, maxOutputTokens }: ApiRequest): Promise<MessageCreateParamsStreaming> {
  const { stable, rest } = promptParts(prompt);
  const cached = { cache_control: { type: "ephemeral" } } as const;
  return {
    model,
    max_tokens: maxOutputTokens,
    stream: true,
    ...(stable === "" ? {} : { system: [{ type: "text", text: stable, ...cached }] }),
    messages: [{ role: "user", content: [{ type: "text", text: rest, ...(stable === "" ? cached : {}) }] }],
    ...(schema === undefined
      ? {}
      : { output_config: { format: { type: "json_schema", schema: await accepted(schema) } } }),
  };
}

/** The API takes a part of JSON schema; the SDK moves the rest into descriptions. */
async function accepted(schema: object): Promise<Record<string, unknown>> {
  const { transformJSONSchema } = await import("@anthropic-ai/sdk/lib/transform-json-schema");
  const { $schema: _, ...plain } = schema as Record<string, unknown>;
  try {
    return transformJSONSchema(plain);
  } catch {
    // What the SDK cannot change, the API may still take; if not, its error says why.
    return plain;
  }
}

function endOf(reason: StopReason | null): ApiAnswer["end"] {
  if (reason === "end_turn" || reason === "stop_sequence") return "complete";
  if (reason === "max_tokens" || reason === "model_context_window_exceeded") return "cut";
  return reason === "refusal" ? "refused" : "missing";
}

interface Counts {
  input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  output_tokens?: number | null;
}

/** Later counts are totals; what they leave out stays as it was. */
function count(counts: Counts, counted: Counts | undefined): void {
  for (const name of [
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "output_tokens",
  ] as const) {
    if (typeof counted?.[name] === "number") counts[name] = counted[name];
  }
}

function usageOf(counts: Counts): Usage {
  const { input_tokens: fresh, cache_read_input_tokens: read, output_tokens: output } = counts;
  return {
    ...(typeof fresh === "number"
      ? { inputTokens: fresh + (read ?? 0) + (counts.cache_creation_input_tokens ?? 0) }
      : {}),
    ...(typeof read === "number" ? { cachedInputTokens: read } : {}),
    ...(typeof output === "number" ? { outputTokens: output } : {}),
  };
}
