import { believable, INSTALL } from "@anneal/core/agents";
import { strictObject } from "@anneal/core/read";
import type { AgentEvent, AgentRequest, AgentRun } from "../../ports.ts";
import type { Transcript } from "../cli/cli-agent.ts";
import {
  countOf,
  detailOf,
  jsonLine,
  lastWords,
  listOf,
  objectOf,
  stringOf,
  type UnknownRecord,
} from "../cli/json-line.ts";
import { advised, type Trouble, troubleOfStatus } from "../cli/trouble.ts";

/** Reads `--output-format stream-json`. */
export function claudeTranscript(request: AgentRequest): Transcript {
  const seen: Seen = { tools: new Map() };
  return {
    line(text, stream) {
      const line = stream === "stdout" ? jsonLine(text) : undefined;
      if (line?.type === "result") seen.result = strictObject(text);
      return line === undefined ? [] : eventsOf(line, seen);
    },
    end: (exit, said) => runOf(seen, request, exit, said),
  };
}

interface Seen {
  model?: string | undefined;
  /** Calls that have not come back, by id. */
  tools: Map<string, string>;
  /** The kind of the last error that came from the API. */
  error?: string | undefined;
  /** When a limit of the account ends, in seconds since 1970. */
  resetsAt?: number | undefined;
  /** Its last line, which holds the answer. */
  result?: ReturnType<typeof strictObject>;
}

function eventsOf(line: UnknownRecord, seen: Seen): AgentEvent[] {
  const message = objectOf(line.message);
  if (line.type === "system" && line.subtype === "init") seen.model ??= stringOf(line.model);
  if (line.type === "assistant") return said(line, message ?? {}, seen);
  if (line.type === "user") return listOf(message?.content).flatMap((part) => given(part, seen));
  if (line.type === "rate_limit_event") seen.resetsAt = resetOf(objectOf(line.rate_limit_info)) ?? seen.resetsAt;
  return [];
}

function said(line: UnknownRecord, message: UnknownRecord, seen: Seen): AgentEvent[] {
  const parts = listOf(message.content);
  if (line.is_api_error_message === true || line.error !== undefined) {
    seen.error = stringOf(line.error);
    return parts.flatMap(({ text }) => (typeof text === "string" ? [{ kind: "note", text }] : []));
  }
  seen.model = stringOf(message.model) ?? seen.model;
  return parts.flatMap((part): AgentEvent[] => {
    if (part.type === "text") return [{ kind: "text", text: stringOf(part.text) ?? "" }];
    if (part.type !== "tool_use") return [];
    const name = stringOf(part.name) ?? "tool";
    seen.tools.set(stringOf(part.id) ?? "", name);
    return [{ kind: "tool", name, detail: detailOf(part.input) }];
  });
}

function given(part: UnknownRecord, { tools }: Seen): AgentEvent[] {
  if (part.type !== "tool_result") return [];
  const id = stringOf(part.tool_use_id) ?? "";
  const name = tools.get(id) ?? "tool";
  tools.delete(id);
  return [{ kind: "result", name, detail: detailOf(part.content) }];
}

function resetOf(info: UnknownRecord | undefined): number | undefined {
  return info?.status === "rejected" ? countOf(info.resetsAt) : undefined;
}

function runOf(seen: Seen, request: AgentRequest, exit: number, output: string): AgentRun {
  const result = seen.result !== undefined && "value" in seen.result ? seen.result.value : undefined;
  const reported = { usage: usageOf(result), ...(seen.model === undefined ? {} : { model: seen.model }) };
  const failed = (error: string, trouble: Trouble = {}): AgentRun => ({
    status: "failed",
    text: "",
    error,
    ...reported,
    ...trouble,
  });
  if (seen.result !== undefined && "problem" in seen.result)
    return failed(advised(`claude's answer cannot be read: ${seen.result.problem}`, LOOK));
  if (result === undefined) return failed(...withoutResult(exit, output));
  const text = stringOf(result.result) ?? "";
  if (result.is_error !== false || result.subtype !== "success") return failed(...refused(result, seen, text, request));
  if (exit !== 0) return failed(`claude answered, then ended with exit code ${exit}; the answer is not used`);
  if (CUT_OFF.has(result.stop_reason)) return failed(`claude's answer was cut off: ${result.stop_reason}`);
  const structured = result.structured_output;
  if (request.schema === undefined) return { status: "finished", text, ...reported };
  if (structured === undefined || structured === null) return failed(advised("claude gave no structured answer", LOOK));
  return { status: "finished", text, structured, ...reported };
}

const CUT_OFF = new Set<unknown>(["max_tokens", "refusal", "model_context_window_exceeded"]);

function withoutResult(exit: number, output: string): [string, Trouble] {
  const words = lastWords(output);
  if (/unknown option/i.test(words)) {
    return [`this claude is too old: ${words}. Update it with \`${INSTALL.claude}\`.`, LASTING];
  }
  return [`claude ended with exit code ${exit} and without a result${words === "" ? "" : `: ${words}`}`, {}];
}

/** For failures that say nothing of what could be mended, such as an empty answer. */
const LOOK =
  "Check whether it answers with `anneal agents test claude`; if it does, try again or choose another model.";
const LASTING: Trouble = { lasting: true };
const TURNED_AWAY = new Set(["rate_limit", "overloaded", "server_error"]);
const FOR_A_PERSON = new Set(["authentication_failed", "oauth_org_not_allowed", "billing_error", "model_not_found"]);

/** What claude said went wrong, and what that means; its exit code and its `subtype` say nothing about it. */
function refused(result: UnknownRecord, seen: Seen, text: string, request: AgentRequest): [string, Trouble] {
  const trouble = troubleOf(result, seen);
  const words = text === "" ? `claude gave up: ${stringOf(result.subtype) ?? "no reason"}` : `claude: ${text}`;
  if (trouble.rateLimited !== undefined) return [words, trouble];
  if (trouble.lasting === undefined) return [advised(words, LOOK), trouble];
  const isModel = countOf(result.api_error_status) === 404 || seen.error === "model_not_found";
  const advice = isModel
    ? `Choose a model that your account has${request.model === undefined ? "" : `, instead of ${request.model}`}.`
    : "Sign in by starting `claude` once, or set ANTHROPIC_API_KEY.";
  return [advised(words, advice), trouble];
}

function troubleOf(result: UnknownRecord, { error, resetsAt }: Seen): Trouble {
  const retryAfterMs = resetsAt === undefined ? null : Math.max(0, resetsAt * 1_000 - Date.now());
  const status = countOf(result.api_error_status);
  if (status !== undefined) return troubleOfStatus(status, retryAfterMs);
  if (result.api_error === "connection_failed") return { rateLimited: { retryAfterMs: null } };
  if (error !== undefined && FOR_A_PERSON.has(error)) return LASTING;
  if (error !== undefined && TURNED_AWAY.has(error)) return { rateLimited: { retryAfterMs } };
  return {};
}

/** Claude counts what the cache gave and took apart from the rest. */
function usageOf(result: UnknownRecord | undefined): AgentRun["usage"] {
  const usage = objectOf(result?.usage);
  const [fresh, written, read] = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"].map((key) =>
    countOf(usage?.[key]),
  );
  const output = countOf(usage?.output_tokens);
  return believable({
    inputTokens: fresh === undefined ? undefined : fresh + (written ?? 0) + (read ?? 0),
    cachedInputTokens: read,
    outputTokens: output,
    costUsd: result?.total_cost_usd,
  });
}
