import { believable } from "@anneal/core/agents";
import { strictObject } from "@anneal/core/read";
import type { AgentRun } from "../../ports.ts";
import type { Transcript } from "../cli/cli-agent.ts";
import { failureOf } from "../cli/failure.ts";
import { objectOf, stringOf } from "../cli/json-line.ts";

/** More than any honest answer. */
const LONGEST = 16 * 1024 * 1024;

/** Reads one JSON object, over as many lines as it likes, or plain text. What it says on standard error are remarks. */
export function commandTranscript(name: string): Transcript {
  const lines: string[] = [];
  let length = 0;
  const failed = (why: string): AgentRun => ({ status: "failed", text: "", usage: {}, ...failureOf(name, why) });
  return {
    emptyLines: "kept",
    line(text, stream) {
      if (stream === "stderr") return text === "" ? [] : [{ kind: "note", text }];
      length += text.length + 1;
      if (length <= LONGEST) lines.push(text);
      else lines.length = 0;
      return [];
    },
    end(exit, said) {
      if (exit !== 0) return failed(`it ended with exit code ${exit}: ${said}`);
      // Asked again, it would say as much again.
      if (length > LONGEST)
        return { ...failed("its answer is larger than 16 MB, the most that is read"), lasting: true };
      const answer = answerIn(lines.join("\n"));
      return typeof answer === "string" ? failed(answer) : answer;
    },
  };
}

/**
 * The answer, or what is wrong with it. What begins like an object is one, and has to be whole; anything else is the text
 * of the answer, and what it says is for the reader of the policy's contract.
 */
function answerIn(printed: string): AgentRun | string {
  const answer = strictObject(printed);
  if ("problem" in answer) {
    if (printed.trim() === "") return "it printed no answer";
    if (!/^[\s\uFEFF]*\{/.test(printed)) return { status: "finished", text: printed, usage: {} };
    return `its answer cannot be read: output that starts with { must be one JSON object and nothing else. ${answer.problem}`;
  }
  const object = answer.value;
  if (!("text" in object) && !("structured" in object)) {
    return { status: "finished", text: JSON.stringify(object), structured: object, usage: {} };
  }
  const { text, structured = null, model, usage } = object;
  if (text !== undefined && typeof text !== "string") return '"text" in its answer is not text';
  if (structured === null && (text ?? "").trim() === "") return "its answer is empty";
  return {
    status: "finished",
    text: text ?? JSON.stringify(structured),
    usage: usageIn(usage),
    ...(structured === null ? {} : { structured }),
    ...(stringOf(model) === undefined ? {} : { model: stringOf(model) ?? "" }),
  };
}

/** What is not a number is left out, never guessed. */
function usageIn(said: unknown): AgentRun["usage"] {
  const { inputTokens, cachedInputTokens, outputTokens, costUsd } = objectOf(said) ?? {};
  return believable({ inputTokens, cachedInputTokens, outputTokens, costUsd });
}
