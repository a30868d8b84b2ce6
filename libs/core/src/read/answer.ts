import type { CompleteReport, Report } from "@anneal/types";

/** What an agent run gave back: its text, whether its own terminal event was seen, and its structured output if it has one. */
export interface Answer {
  text: string;
  finished: boolean;
  structured?: unknown;
  /** What the reviewer was asked about, for contracts whose answers name it. */
  subject?: string;
}

export interface ReadOptions {
  /** Whether a text answer has to end with the closing line; stored documents do not have one. */
  closing?: "required" | "optional";
}

/** The answer breaks its contract. The message is the one sentence that a person gets to see. */
export class Unreadable extends Error {
  override name = "Unreadable";
}

export function unreadable(reason: string): never {
  throw new Unreadable(reason);
}

/** The only way from an answer to a report: whatever goes wrong on the way is inconclusive. */
export function conclude(answer: Answer, read: () => CompleteReport): Report {
  try {
    if (answer.finished !== true) return { status: "inconclusive", reason: "The reviewer did not finish its answer." };
    return read();
  } catch (error) {
    return { status: "inconclusive", reason: reasonOf(error) };
  }
}

export function reasonOf(error: unknown): string {
  if (error instanceof Unreadable) return error.message;
  return `The answer could not be read: ${error instanceof Error ? error.name : "unknown failure"}.`;
}

const MAX_CHARACTERS = 8 * 1024 * 1024;

/** The text with plain line ends, or a refusal of what no honest review contains. */
export function admit(text: unknown): string {
  if (typeof text !== "string") return unreadable("The answer is not text.");
  if (text.length > MAX_CHARACTERS) return unreadable("The answer is larger than 8 MB.");
  const plain = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  if (plain.trim() === "") return unreadable("The answer is empty.");
  refuseHidden(plain, "The answer");
  return plain;
}

// Control characters redraw a terminal and direction overrides reorder what a person sees: neither may carry a verdict.
export function refuseHidden(text: string, place: string): void {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isControl(code)) unreadable(`${place} contains the control character ${codePoint(code)}.`);
  }
  refuseDirections(text, place);
}

export function refuseDirections(text: string, place: string): void {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isDirection(code)) unreadable(`${place} contains the direction override ${codePoint(code)}.`);
  }
}

function isControl(code: number): boolean {
  return (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) || (code >= 0x7f && code <= 0x9f);
}

function isDirection(code: number): boolean {
  return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

function codePoint(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
