import { believable, totalUsage } from "@anneal/core/agents";
import type { AgentEvent, AgentRequest, AgentRun } from "../../ports.ts";
import type { Transcript } from "../cli/cli-agent.ts";
import { failureOf } from "../cli/failure.ts";
import { countOf, detailOf, jsonLine, lastWords, objectOf, stringOf, type UnknownRecord } from "../cli/json-line.ts";

/** Reads `opencode run --format json`. Usage and cost come step by step, and are summed. */
export function opencodeTranscript({ model }: AgentRequest, _scratch: string, giveUp: () => void): Transcript {
  const seen: Seen = { said: [], stopped: false, usage: {}, complaints: [] };
  let patience: NodeJS.Timeout | undefined;
  const forgive = () => {
    clearTimeout(patience);
    seen.complaints = [];
  };
  return {
    line(text, stream) {
      if (stream === "stderr") {
        seen.complaints.push(...complaintIn(text));
        if (seen.complaints.length === PATIENT_TIMES) patience = setTimeout(giveUp, LAST_WORDS_MS);
        return text.trim() === "" ? [] : [{ kind: "note", text }];
      }
      const line = jsonLine(text);
      if (line === undefined) return [];
      forgive();
      return eventsOf(line, seen);
    },
    end(exit, output) {
      clearTimeout(patience);
      return runOf(seen, model, exit, output);
    },
  };
}

/** A request that failed is tried five more times, with pauses as long as the provider likes, and nothing turns that off. */
const PATIENT_TIMES = 2;
/** What it does not mean to try again, it tells at once. */
const LAST_WORDS_MS = 3_000;

function complaintIn(log: string): string[] {
  const found = /message="stream error".*error\.error="?([^"]*)/.exec(log)?.[1];
  return found === undefined ? [] : [found];
}

interface Seen {
  /** What it said since its last tool, which is its answer once it stops. */
  said: string[];
  stopped: boolean;
  usage: AgentRun["usage"];
  error?: UnknownRecord;
  /** What went wrong with requests since it last got on, from its log. */
  complaints: string[];
}

function eventsOf(line: UnknownRecord, seen: Seen): AgentEvent[] {
  const part = objectOf(line.part) ?? {};
  if (line.type === "text") return said(stringOf(part.text) ?? "", seen);
  if (line.type === "tool_use") return used(part, seen);
  if (line.type === "step_finish") finishStep(part, seen);
  if (line.type !== "error") return [];
  seen.error = objectOf(line.error) ?? {};
  return [{ kind: "note", text: wordsOf(seen.error) }];
}

function said(text: string, seen: Seen): AgentEvent[] {
  seen.said.push(text);
  return [{ kind: "text", text }];
}

/** A call is reported only once it came back. */
function used(part: UnknownRecord, seen: Seen): AgentEvent[] {
  seen.said = [];
  const name = stringOf(part.tool) ?? "tool";
  const state = objectOf(part.state) ?? {};
  return [
    { kind: "tool", name, detail: detailOf(state.input) },
    { kind: "result", name, detail: detailOf(state.output ?? state.error) },
  ];
}

function finishStep({ reason, tokens, cost }: UnknownRecord, seen: Seen): void {
  seen.stopped = reason === "stop";
  seen.usage = summed(seen.usage, objectOf(tokens) ?? {}, cost);
}

/** Its input leaves out what the cache gave and took; thinking is not counted as output. */
function summed(usage: AgentRun["usage"], tokens: UnknownRecord, cost: unknown): AgentRun["usage"] {
  const cache = objectOf(tokens.cache) ?? {};
  const [fresh, output] = [countOf(tokens.input), countOf(tokens.output)];
  const [read = 0, written = 0, thought = 0] = [countOf(cache.read), countOf(cache.write), countOf(tokens.reasoning)];
  if (fresh === undefined || output === undefined) return usage;
  const step = {
    inputTokens: fresh + read + written,
    cachedInputTokens: read,
    outputTokens: output + thought,
  };
  return totalUsage([usage, believable({ ...step, costUsd: cost })]);
}

function runOf(seen: Seen, model: string | undefined, exit: number, output: string): AgentRun {
  const reported = { usage: seen.usage, ...(model === undefined ? {} : { model }) };
  const failed = (words: string, status?: number): AgentRun => ({
    status: "failed",
    text: "",
    ...failureOf("opencode", words, status),
    ...reported,
  });
  if (seen.error !== undefined)
    return { ...failed(wordsOf(seen.error), statusOf(seen.error)), ...turnedAway(seen.error) };
  const [complaint] = seen.complaints;
  if (!seen.stopped && complaint !== undefined) return { ...failed(complaint), rateLimited: { retryAfterMs: null } };
  if (!seen.stopped) return failed(`it did not finish its turn (exit code ${exit}): ${lastWords(output)}`);
  if (exit !== 0) return failed(`it answered, then ended with exit code ${exit}; the answer is not used`);
  const text = seen.said.join("");
  return text.trim() === "" ? failed("it ended without an answer") : { status: "finished", text, ...reported };
}

function wordsOf(error: UnknownRecord): string {
  const data = objectOf(error.data);
  return [stringOf(error.name), stringOf(data?.message) ?? stringOf(error.message)].filter(Boolean).join(": ");
}

/** Whatever it would have tried again, it already has. */
function turnedAway({ data }: UnknownRecord): Pick<AgentRun, "rateLimited"> {
  const { isRetryable, statusCode, responseHeaders } = objectOf(data) ?? {};
  const isOurs = isRetryable === true || statusCode === 429 || (countOf(statusCode) ?? 0) >= 500;
  const seconds = Number(stringOf(objectOf(responseHeaders)?.["retry-after"]) ?? Number.NaN);
  return isOurs ? { rateLimited: { retryAfterMs: seconds >= 0 ? Math.ceil(seconds * 1_000) : null } } : {};
}

function statusOf(error: UnknownRecord): number | undefined {
  return countOf(objectOf(error.data)?.statusCode);
}
