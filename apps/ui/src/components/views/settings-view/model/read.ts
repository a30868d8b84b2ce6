import { errorMessage, isRecord } from "@anneal/types/unknown";
import type { Control } from "./setting.ts";

export type ReadValue = { ok: true; value: unknown } | { ok: false; problem: string };

/** What was typed as a value of the file. Nothing typed means that this file says nothing. */
export function read(control: Control, raw: unknown): ReadValue {
  switch (control.kind) {
    case "number":
      return readNumber(control, String(raw).trim());
    case "lines": {
      const lines = String(raw)
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
      return { ok: true, value: lines.length === 0 ? null : lines };
    }
    case "command":
      return readCommand(String(raw).trim());
    case "json":
      return readJson(String(raw).trim());
    case "text":
    case "choice":
      return { ok: true, value: String(raw).trim() === "" ? null : String(raw).trim() };
    default:
      return { ok: true, value: raw };
  }
}

/** A value of the file as the control shows it. */
export function shown(control: Control, value: unknown): unknown {
  switch (control.kind) {
    case "switch":
      return value === true;
    case "number":
      return typeof value === "number" ? String(value / (control.per ?? 1)) : "";
    case "lines":
      return Array.isArray(value) ? value.join("\n") : "";
    case "several":
      return Array.isArray(value) ? value : [];
    case "command":
      return Array.isArray(value) ? JSON.stringify(value) : (value ?? "");
    case "json":
      return value === undefined ? "" : JSON.stringify(value, null, 2);
    case "prompt":
      return isRecord(value) ? value : { enabled: false, value: "" };
    default:
      return value ?? "";
  }
}

/** A value in a sentence: short, and never a wall of text. */
export function inWords(control: Control | null, value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (value === true) return "on";
  if (value === false) return "off";
  if (control?.kind === "number" && typeof value === "number")
    return [value / (control.per ?? 1), control.unit].join(" ").trim();
  if (control?.kind === "choice")
    return control.options.find((option) => option.value === value)?.label ?? String(value);
  if (Array.isArray(value)) return value.length === 0 ? "none" : cut(value.map((one) => textOf(one)).join(", "));
  return cut(textOf(value));
}

function readNumber({ min, max, isWhole, per = 1 }: Extract<Control, { kind: "number" }>, text: string): ReadValue {
  if (text === "") return { ok: true, value: null };
  const number = Number(text);
  const range = max === undefined ? `${min} or more` : `${min} to ${max}`;
  const allowed = `${isWhole ? "a whole number" : "a number"}, ${range}`;
  const isIn = Number.isFinite(number) && number >= min && number <= (max ?? Number.POSITIVE_INFINITY);
  if (!isIn || (isWhole && !Number.isInteger(number))) return { ok: false, problem: `“${text}” is not ${allowed}` };
  return { ok: true, value: per === 1 ? number : Math.round(number * per) };
}

/** A list of words in JSON is run as it is; anything else is a line for the shell. */
function readCommand(text: string): ReadValue {
  if (text === "") return { ok: true, value: null };
  if (!text.startsWith("[")) return { ok: true, value: text };
  const read = readJson(text);
  return read.ok ? read : { ok: false, problem: `a list must be JSON: ${read.problem}` };
}

function readJson(text: string): ReadValue {
  if (text === "") return { ok: true, value: null };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, problem: errorMessage(error) };
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function cut(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}
