import { believable } from "@anneal/core/agents";
import type { Usage } from "@anneal/types";
import type { AgentEvent } from "../../ports.ts";
import { wordsOf } from "../api/words.ts";
import { type Clean, cleanedDeep } from "../cli/credentials.ts";

type Json = Record<string, unknown>;

/** What an agent tells while it works. */
export interface SessionLog {
  /** Takes a `session/update` as it came; what is not understood is passed over. */
  take(params: unknown): void;
  /** Takes what the answer to the prompt says about tokens. */
  used(answer: unknown): void;
  /** The kind of a tool call that was announced before. */
  kindOf(toolCallId: string): string | undefined;
  note(text: string): void;
  end(): void;
  /** What it said after the last tool that it used: its answer. */
  readonly text: string;
  readonly usage: Usage;
  model: string | undefined;
}

const SHOWN_CHARS = 2_000;

/** `clean` takes out what is secret, before anything is cut so short that a secret cannot be recognised. */
export function sessionLog(tell: (event: AgentEvent) => void, clean: Clean): SessionLog {
  const words = wordsOf((text) => tell({ kind: "text", text }));
  const thoughts = wordsOf((text) => tell({ kind: "note", text }));
  const calls = new Map<string, { kind: string; name: string }>();
  const flush = () => {
    thoughts.end();
    words.end();
  };
  const say = (event: AgentEvent) => {
    flush();
    tell(event);
  };
  let said: string[] = [];
  let usage: Usage = {};

  function onCall(update: Json): void {
    const id = textAt(update, "toolCallId");
    const known = calls.get(id);
    const call = {
      kind: textAt(update, "kind") || (known?.kind ?? ""),
      name: textAt(update, "title") || (known?.name ?? "tool"),
    };
    calls.set(id, call);
    const isOver = update.status === "completed" || update.status === "failed";
    if (known === undefined) {
      said = [];
      say({ kind: "tool", name: call.kind || "tool", detail: `${call.name}${shown(update.rawInput)}` });
    }
    if (isOver) say({ kind: "result", name: call.kind || "tool", detail: `${update.status}: ${call.name}` });
  }

  return {
    take(params) {
      const update = at(cleanedDeep(params, clean), "update");
      const text = textAt(at(update, "content"), "text");
      const kind = textAt(update, "sessionUpdate");
      if (kind === "agent_message_chunk") {
        said.push(text);
        thoughts.end();
        words.take(text);
      } else if (kind === "agent_thought_chunk") {
        words.end();
        thoughts.take(text);
      } else if (kind === "tool_call" || kind === "tool_call_update") {
        onCall(update);
      } else if (kind === "usage_update") {
        usage = { ...usage, ...costIn(at(update, "cost")) };
      }
    },
    used(answer) {
      usage = { ...usage, ...tokensIn(answer) };
    },
    kindOf: (id) => calls.get(id)?.kind,
    note: (text) => say({ kind: "note", text }),
    end: flush,
    get text() {
      return said.join("");
    },
    get usage() {
      return usage;
    },
    model: undefined,
  };
}

/** The protocol's own count, or the one that Gemini sends along. */
function tokensIn(answer: unknown): Usage {
  const usage = at(answer, "usage");
  const counted = at(at(at(answer, "_meta"), "quota"), "token_count");
  const [input, output] = [count(usage.inputTokens), count(usage.outputTokens)];
  if (input === undefined || output === undefined) {
    const [its, whole] = [count(counted.input_tokens), count(counted.output_tokens)];
    return its === undefined || whole === undefined ? {} : { inputTokens: its, outputTokens: whole };
  }
  const cached = count(usage.cachedReadTokens);
  const apart = (cached ?? 0) + (count(usage.cachedWriteTokens) ?? 0);
  // Some count what came from the cache as input and some do not; the total tells which.
  const isApart = (count(usage.totalTokens) ?? 0) >= input + output + apart;
  return {
    inputTokens: isApart ? input + apart : input,
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    outputTokens: output,
  };
}

function costIn(cost: Json): Usage {
  const { amount, currency } = cost;
  return currency === "USD" ? believable({ costUsd: amount }) : {};
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function shown(input: unknown): string {
  if (input === undefined || input === null) return "";
  return ` ${JSON.stringify(input).slice(0, SHOWN_CHARS)}`;
}

function at(value: unknown, name: string): Json {
  const inner = typeof value === "object" && value !== null ? (value as Json)[name] : undefined;
  return typeof inner === "object" && inner !== null ? (inner as Json) : {};
}

function textAt(value: Json, name: string): string {
  const inner = value[name];
  return typeof inner === "string" ? inner : "";
}
