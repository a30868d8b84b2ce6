import { createHash } from "node:crypto";
import type { Usage } from "@anneal/types";
import type { Response, ResponseCreateParamsStreaming } from "openai/resources/responses/responses";
import type { ApiAnswer, ApiRequest } from "../api/api-agent.ts";
import { clientOptions } from "../api/client-options.ts";
import { promptParts } from "../api/prompt-parts.ts";
import { type StrictSchema, strictSchema } from "./strict-schema.ts";

/** Asks the Responses API for one answer, as a stream. The SDK is loaded only here. */
export async function askOpenai(question: ApiRequest): Promise<ApiAnswer> {
  const { default: OpenAI } = await import("openai");
  const client = new OpenAI(clientOptions(question));
  const strict = question.schema === undefined ? undefined : await strictSchema(question.schema);
  const stream = await client.responses.create(body(question, strict), { signal: question.signal });
  let text = "";
  let refused = "";
  let last: Response | undefined;
  for await (const event of stream) {
    if (event.type === "response.output_text.delta") {
      text += event.delta;
      question.onText(event.delta);
    } else if (event.type === "response.refusal.delta") {
      refused += event.delta;
    } else if (event.type === "error") {
      throw new ProviderError(event.message, event.code);
    } else if ("response" in event && event.response !== undefined) {
      question.used(usageOf(event.response), event.response.model);
      if (ENDS.has(event.type)) last = event.response;
    }
  }
  if (last?.status === "failed") throw new ProviderError(last.error?.message ?? "", last.error?.code);
  return { ...endOf(last, refused), text, ...(strict === undefined ? {} : { restore: strict.restore }) };
}

const ENDS = new Set(["response.completed", "response.incomplete", "response.failed"]);

/** An error that came within the stream: there is no status that would tell what it is. */
class ProviderError extends Error {
  readonly status = undefined;
  readonly headers = undefined;
  readonly code: string | null | undefined;

  constructor(message: string, code: string | null | undefined) {
    super(message || `the provider ended the answer (${code ?? "no reason given"})`);
    this.code = code;
  }
}

function body(
  { prompt, model, maxOutputTokens }: ApiRequest,
  strict: StrictSchema | undefined,
): ResponseCreateParamsStreaming {
  const { stable, rest } = promptParts(prompt);
  return {
    model,
    stream: true,
    // Nothing of the project stays with the provider longer than it must.
    store: false,
    max_output_tokens: maxOutputTokens,
    input: rest,
    // The cache is found by the beginning of the prompt; the key leads equal beginnings to the same machine.
    ...(stable === "" ? {} : { instructions: stable, prompt_cache_key: cacheKey(stable) }),
    ...(strict === undefined
      ? {}
      : { text: { format: { type: "json_schema", name: "answer", schema: strict.schema, strict: strict.isStrict } } }),
  };
}

function cacheKey(stable: string): string {
  return `anneal-${createHash("sha256").update(stable).digest("hex").slice(0, 32)}`;
}

function endOf(last: Response | undefined, refused: string): Pick<ApiAnswer, "end" | "reason"> {
  if (refused !== "") return { end: "refused", reason: refused };
  if (last?.status === "completed") return { end: "complete" };
  const reason = last?.incomplete_details?.reason;
  if (reason === "content_filter") return { end: "refused", reason };
  if (last?.status === "incomplete") return { end: "cut", ...(reason === undefined ? {} : { reason }) };
  return { end: "missing" };
}

function usageOf({ usage }: Response): Usage {
  if (usage === undefined || usage === null) return {};
  const cached = usage.input_tokens_details?.cached_tokens;
  return {
    inputTokens: usage.input_tokens,
    ...(typeof cached === "number" ? { cachedInputTokens: cached } : {}),
    outputTokens: usage.output_tokens,
  };
}
