import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { INSTALL } from "@anneal/core/agents";
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
import { codexAdvice, codexTrouble } from "./trouble.ts";

export function lastMessageIn(scratch: string): string {
  return join(scratch, "last-message.txt");
}

/** Reads `codex exec --json`. */
export function codexTranscript(request: AgentRequest, scratch: string): Transcript {
  const seen: Seen = { end: "none", lastMessage: "", problem: undefined, usage: undefined };
  return {
    line(text, stream) {
      const line = stream === "stdout" ? jsonLine(text) : undefined;
      return line === undefined ? [] : eventsOf(line, seen);
    },
    async end(exit, said) {
      return runOf(seen, request, exit, said, await readFile(lastMessageIn(scratch), "utf8").catch(() => undefined));
    },
  };
}

interface Seen {
  end: "none" | "completed" | "failed";
  lastMessage: string;
  /** What the failed turn or, without one, the last complaint said. */
  problem: string | undefined;
  usage: UnknownRecord | undefined;
}

function eventsOf(line: UnknownRecord, seen: Seen): AgentEvent[] {
  const item = objectOf(line.item);
  if (line.type === "turn.completed") {
    seen.end = "completed";
    seen.usage = objectOf(line.usage);
  } else if (line.type === "turn.failed") {
    seen.end = "failed";
    seen.problem = stringOf(objectOf(line.error)?.message) ?? seen.problem;
  } else if (line.type === "error") {
    seen.problem = stringOf(line.message);
    return [{ kind: "note", text: seen.problem ?? "" }];
  }
  if (item === undefined) return [];
  if (item.type === "agent_message" && line.type === "item.completed") seen.lastMessage = stringOf(item.text) ?? "";
  return line.type === "item.started" ? begun(item) : line.type === "item.completed" ? done(item) : [];
}

function begun(item: UnknownRecord): AgentEvent[] {
  const name = toolOf(item);
  return name === undefined ? [] : [{ kind: "tool", name, detail: asked(item) }];
}

function done(item: UnknownRecord): AgentEvent[] {
  const name = toolOf(item);
  if (name !== undefined) return [{ kind: "result", name, detail: gotBack(item) }];
  if (item.type === "agent_message") return [{ kind: "text", text: stringOf(item.text) ?? "" }];
  if (item.type === "error") return [{ kind: "note", text: stringOf(item.message) ?? "" }];
  if (item.type === "reasoning") return [{ kind: "note", text: stringOf(item.text) ?? "" }];
  return [];
}

function toolOf(item: UnknownRecord): string | undefined {
  if (item.type === "command_execution") return "shell";
  if (item.type === "file_change") return "apply_patch";
  if (item.type === "mcp_tool_call") return [item.server, item.tool].filter(Boolean).join(".") || "mcp";
  return item.type === "web_search" ? "web_search" : undefined;
}

function asked(item: UnknownRecord): string {
  if (item.type === "file_change") {
    return detailOf(
      listOf(item.changes)
        .map(({ kind, path }) => `${kind} ${path}`)
        .join("\n"),
    );
  }
  return detailOf(item.command ?? item.arguments ?? item.query ?? "");
}

function gotBack(item: UnknownRecord): string {
  if (item.type === "command_execution") return detailOf(`exit ${item.exit_code}\n${item.aggregated_output ?? ""}`);
  return detailOf(item.result ?? item.error ?? item.status ?? "");
}

function runOf(
  seen: Seen,
  { schema, model }: AgentRequest,
  exit: number,
  output: string,
  written: string | undefined,
): AgentRun {
  const reported = { usage: usageOf(seen.usage), ...(model === undefined ? {} : { model }) };
  const failed = (message: string): AgentRun => {
    const trouble = codexTrouble(message);
    return { status: "failed", text: "", error: codexAdvice(message, trouble, model), ...reported, ...trouble };
  };
  if (seen.end === "failed") return failed(seen.problem ?? "the turn failed and nothing says why");
  if (seen.end === "none") return { ...failed(withoutEnd(seen, exit, output)), ...tooOld(output) };
  if (exit !== 0) return failed(`it answered, then ended with exit code ${exit}; the answer is not used`);
  const text = written ?? seen.lastMessage;
  if (schema === undefined) return { status: "finished", text, ...reported };
  const answer = strictObject(text);
  if ("problem" in answer) return failed(`it gave no structured answer. ${answer.problem}`);
  return { status: "finished", text, structured: answer.value, ...reported };
}

function withoutEnd({ problem }: Seen, exit: number, output: string): string {
  const words = problem ?? lastWords(output);
  return `it ended with exit code ${exit} without finishing its turn${words === "" ? "" : `: ${words}`}`;
}

function tooOld(output: string): { error?: string; lasting?: true } {
  const words = /^error: (?:unexpected argument|unrecognized subcommand).*$/m.exec(output)?.[0];
  if (words === undefined) return {};
  return { error: `this codex is too old: ${words}. Update it with \`${INSTALL.codex}\`.`, lasting: true };
}

/** Codex counts what the cache gave as input already. */
function usageOf(usage: UnknownRecord | undefined): AgentRun["usage"] {
  const [input, cached, output] = ["input_tokens", "cached_input_tokens", "output_tokens"].map((key) =>
    countOf(usage?.[key]),
  );
  return {
    ...(input === undefined ? {} : { inputTokens: input }),
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(output === undefined ? {} : { outputTokens: output }),
  };
}
