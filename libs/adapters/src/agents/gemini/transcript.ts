import type { AgentEvent, AgentRequest, AgentRun } from "../../ports.ts";
import type { Transcript } from "../cli/cli-agent.ts";
import { countOf, detailOf, jsonLine, lastWords, objectOf, stringOf, type UnknownRecord } from "../cli/json-line.ts";
import { geminiTrouble } from "./trouble.ts";

/** Reads `-o stream-json`. */
export function geminiTranscript({ model }: AgentRequest): Transcript {
  const seen: Seen = { model, said: [], tools: new Map() };
  return {
    line(text, stream) {
      if (stream === "stderr") return text.trim() === "" ? [] : [{ kind: "note", text }];
      const line = jsonLine(text);
      return line === undefined ? [] : eventsOf(line, seen);
    },
    end: (exit, output) => runOf(seen, exit, output),
  };
}

interface Seen {
  model: string | undefined;
  /** What it said since the last tool, which is its answer once it ends. */
  said: string[];
  tools: Map<string, string>;
  result?: UnknownRecord;
  /** Complaints that are not the end of the run by themselves. */
  problem?: string;
}

function eventsOf(line: UnknownRecord, seen: Seen): AgentEvent[] {
  if (line.type === "init") seen.model = stringOf(line.model) ?? seen.model;
  if (line.type === "result") seen.result = line;
  if (line.type === "message" && line.role === "assistant") return said(stringOf(line.content) ?? "", seen);
  if (line.type === "tool_use") return used(line, seen);
  if (line.type === "tool_result") return given(line, seen);
  if (line.type !== "error") return [];
  seen.problem = stringOf(line.message) ?? "";
  return [{ kind: "note", text: seen.problem }];
}

function said(text: string, seen: Seen): AgentEvent[] {
  seen.said.push(text);
  return [{ kind: "text", text }];
}

function used(line: UnknownRecord, seen: Seen): AgentEvent[] {
  const name = stringOf(line.tool_name) ?? "tool";
  seen.said = [];
  seen.tools.set(stringOf(line.tool_id) ?? "", name);
  return [{ kind: "tool", name, detail: detailOf(line.parameters) }];
}

function given(line: UnknownRecord, { tools }: Seen): AgentEvent[] {
  const id = stringOf(line.tool_id) ?? "";
  const name = tools.get(id) ?? "tool";
  tools.delete(id);
  return [{ kind: "result", name, detail: detailOf(line.output ?? line.status) }];
}

function runOf(seen: Seen, exit: number, output: string): AgentRun {
  const { result } = seen;
  const reported = { usage: usageOf(result), ...(seen.model === undefined ? {} : { model: seen.model }) };
  const failed = (words: string): AgentRun => ({
    status: "failed",
    text: "",
    ...geminiTrouble(words, exit),
    ...reported,
  });
  if (result === undefined) return failed(withoutResult(seen, exit, output));
  if (result.status !== "success") return failed(stringOf(objectOf(result.error)?.message) ?? lastWords(output));
  if (exit !== 0) return failed(`it answered, then ended with exit code ${exit}; the answer is not used`);
  const text = seen.said.join("");
  return text.trim() === "" ? failed("it ended without an answer") : { status: "finished", text, ...reported };
}

function withoutResult({ problem }: Seen, exit: number, output: string): string {
  const words = problem ?? lastWords(output);
  return `it ended with exit code ${exit} and without a result${words === "" ? "" : `: ${words}`}`;
}

/** Gemini counts what the cache gave as input already. */
function usageOf(result: UnknownRecord | undefined): AgentRun["usage"] {
  const stats = objectOf(result?.stats);
  const [input, cached, output] = ["input_tokens", "cached", "output_tokens"].map((key) => countOf(stats?.[key]));
  return {
    ...(input === undefined ? {} : { inputTokens: input }),
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(output === undefined ? {} : { outputTokens: output }),
  };
}
