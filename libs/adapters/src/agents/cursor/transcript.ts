import type { AgentEvent, AgentRun } from "../../ports.ts";
import type { Transcript } from "../cli/cli-agent.ts";
import { failureOf } from "../cli/failure.ts";
import { detailOf, jsonLine, lastWords, listOf, objectOf, stringOf, type UnknownRecord } from "../cli/json-line.ts";

/** Reads `--output-format stream-json`. */
export function cursorTranscript(): Transcript {
  const seen: Seen = {};
  return {
    line(text, stream) {
      if (stream === "stderr") return text.trim() === "" ? [] : [{ kind: "note", text }];
      const line = jsonLine(text);
      return line === undefined ? [] : eventsOf(line, seen);
    },
    end: (exit, said) => runOf(seen, exit, said),
  };
}

interface Seen {
  model?: string | undefined;
  result?: UnknownRecord;
}

function eventsOf(line: UnknownRecord, seen: Seen): AgentEvent[] {
  if (line.type === "system") seen.model = stringOf(line.model) ?? seen.model;
  if (line.type === "result") seen.result = line;
  if (line.type === "tool_call") return toolEvents(line);
  if (line.type !== "assistant") return [];
  const texts = listOf(objectOf(line.message)?.content).flatMap(({ text }) => stringOf(text) ?? []);
  return texts.map((text) => ({ kind: "text", text }));
}

function toolEvents({ tool_call, subtype }: UnknownRecord): AgentEvent[] {
  // What kind of call it is, is the name of its key: readToolCall, editToolCall…
  const [name, call] = Object.entries(objectOf(tool_call) ?? {}).find(([, value]) => objectOf(value)) ?? [];
  if (name === undefined) return [];
  return subtype === "started"
    ? [{ kind: "tool", name, detail: detailOf(objectOf(call)?.args) }]
    : [{ kind: "result", name, detail: detailOf(objectOf(call)?.result) }];
}

function runOf({ result, model }: Seen, exit: number, said: string): AgentRun {
  const reported = { usage: {}, ...(model === undefined ? {} : { model }) };
  const failed = (why: string): AgentRun => ({ status: "failed", text: "", ...troubleOf(why), ...reported });
  if (result === undefined) return failed(`it ended with exit code ${exit} and without a result: ${lastWords(said)}`);
  const text = stringOf(result.result) ?? "";
  if (result.is_error !== false || result.subtype !== "success") return failed(text || lastWords(said));
  if (exit !== 0) return failed(`it answered, then ended with exit code ${exit}; the answer is not used`);
  return text.trim() === "" ? failed("it ended without an answer") : { status: "finished", text, ...reported };
}

function troubleOf(why: string): Pick<AgentRun, "error" | "lasting" | "rateLimited"> {
  const failure = failureOf("cursor", why);
  return /unknown option/i.test(why)
    ? { error: `${failure.error} Update it: cursor-agent update`, lasting: true }
    : failure;
}
