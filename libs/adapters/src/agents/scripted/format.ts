import { readFile } from "node:fs/promises";
import type { Usage } from "@anneal/types";
import { isRecord } from "@anneal/types/unknown";
import type { Role } from "../../ports.ts";
import type { FileEdit } from "./edits.ts";
import { amount, count, flag, listOf, oneOf, readJson, record, ShapeError, text, type ValueReader } from "./shape.ts";

/** How a played run ends. Only `finished` is an answer. */
export type ScriptedEnding = "finished" | "crash" | "hang" | "no-terminal-event";

export interface ScriptedStep {
  /** The role that this step is for; any role by default. */
  role?: Role;
  /** What the agent says; an object is written as JSON and also given as the structured answer. */
  answer?: string | object;
  /** What it says when it is asked once more in the same turn; nothing by default. */
  again?: { rulings?: string | object; form?: string | object; same?: string | object; approval?: string | object };
  edits?: FileEdit[];
  end?: ScriptedEnding;
  delayMs?: number;
  usage?: Usage;
  /** Why the run fails; by itself it makes the run a crash. */
  error?: string;
  /** The provider turns the first tries away (one by default), asking to come back after a while; then the step is played. */
  rateLimited?: { times?: number; retryAfterMs?: number };
}

/** What a scripted agent plays, run by run. */
export interface Script {
  /** For whoever reads the file. */
  name?: string;
  model?: string;
  steps: ScriptedStep[];
  /** Go on with the last fitting step for ever, instead of failing at the end. */
  repeatLast?: boolean;
}

/** Reads a script file; a damaged one is a ShapeError that names the location. */
export async function loadScript(path: string): Promise<Script> {
  const json = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new ShapeError(`${path}: the script cannot be read; check the path`, { cause });
  });
  return readJson(json, scriptShape, "script", path);
}

export const roleShape = oneOf<Role>("reviewer", "fixer", "implementer", "analyst");

export const usageShape: ValueReader<Usage> = record({}, { inputTokens: count, outputTokens: count, costUsd: amount });

const EDIT_KINDS = ["content", "base64", "link", "append", "replace", "delete"];

const editKeys = record(
  { path: text },
  { content: text, base64: text, link: text, append: text, replace: listOf(text), delete: flag, executable: flag },
);

export const editShape: ValueReader<FileEdit> = (value, place) => {
  const { path, content, base64, link, append, replace, delete: gone, executable } = editKeys(value, place);
  const kinds = [content, base64, link, append, replace, gone].filter((kind) => kind !== undefined);
  if (kinds.length !== 1) throw new ShapeError(`${place} needs exactly one of ${EDIT_KINDS.join(", ")}`);
  const mode = executable === undefined ? {} : { executable };
  if (content !== undefined) return { path, content, ...mode };
  if (base64 !== undefined) return { path, base64, ...mode };
  if (link !== undefined) return { path, link };
  if (append !== undefined) return { path, append };
  if (gone !== undefined && !gone) throw new ShapeError(`${place}.delete can only be true`);
  if (gone !== undefined) return { path, delete: true };
  const [old, replacement, ...more] = replace ?? [];
  if (old === undefined || replacement === undefined || more.length > 0) {
    throw new ShapeError(`${place}.replace must be a pair [old, new]`);
  }
  return { path, replace: [old, replacement] };
};

const answerShape: ValueReader<string | object> = (value, place) => (isRecord(value) ? value : text(value, place));

const stepShape: ValueReader<ScriptedStep> = record(
  {},
  {
    role: roleShape,
    answer: answerShape,
    again: record({}, { rulings: answerShape, form: answerShape, same: answerShape, approval: answerShape }),
    edits: listOf(editShape),
    end: oneOf<ScriptedEnding>("finished", "crash", "hang", "no-terminal-event"),
    delayMs: amount,
    usage: usageShape,
    error: text,
    rateLimited: record({}, { times: count, retryAfterMs: amount }),
  },
);

const scriptShape: ValueReader<Script> = record(
  { steps: listOf(stepShape) },
  { name: text, model: text, repeatLast: flag },
);
