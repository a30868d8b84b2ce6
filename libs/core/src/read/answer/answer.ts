import type { CompleteReport, Report } from "@anneal/types";
import { atLeast } from "../../findings/severity-and-category.ts";
import { type ReviewedPaths, whereabouts } from "./path.ts";

/** What an agent run gave back: its text, whether its own terminal event was seen, and its structured output if it has one. */
export interface AgentAnswer {
  text: string;
  finished: boolean;
  structured?: unknown;
  /** What the reviewer was asked about, for contracts whose answers name it. */
  subject?: string;
}

export interface ReadOptions {
  /**
   * Whether a text answer has to end with the closing line. Expected by default: an answer without it has to be whole, and
   * its agent must have said that it ended. Required where nobody knows that; stored documents do not have one.
   */
  closing?: "required" | "expected" | "optional";
  /** Whether what passes has to be signed off, as our prompts ask for; programs with a form of their own cannot. */
  signOff?: "required" | "not-asked";
  /** How many requirements the reviewer was shown, where they can be counted: it has to sign at least as many. */
  requirements?: number;
  /** Where the reviewed files are, for paths that do not begin at the top of the repository. */
  where?: ReviewedPaths;
}

/** The answer breaks its contract. The message is the one sentence that a person gets to see. */
export class Unreadable extends Error {
  override name = "Unreadable";
}

export function unreadable(reason: string): never {
  throw new Unreadable(reason);
}

/** What comes up while an answer is read. It is read to its end, so that all that is wrong with it can be said at once. */
export class AnswerReading {
  readonly notes: string[] = [];
  readonly problems: string[] = [];
  /** Something is missing without which there is no report, neither a passing nor a failing one. */
  broken = false;
  readonly closing: NonNullable<ReadOptions["closing"]>;
  readonly signsOff: boolean;
  readonly requirements: number;
  readonly pathOf: (path: string) => string;

  constructor({ closing = "expected", signOff = "required", requirements = 0, where }: ReadOptions = {}) {
    this.closing = closing;
    this.signsOff = signOff === "required";
    this.requirements = requirements;
    this.pathOf = whereabouts(where, this.note);
  }

  note = (text: string): void => {
    if (!this.notes.includes(text)) this.notes.push(text);
  };

  /** Keeps the answer from passing. Where it fails anyway, it becomes a note. */
  problem = (text: string): void => {
    if (!this.problems.includes(text)) this.problems.push(text);
  };

  /** Keeps the answer from saying anything. */
  broke = (text: string): void => {
    this.problem(text);
    this.broken = true;
  };

  /** A part without which there is no report. */
  need<T, Other>(read: () => T, otherwise: Other): T | Other {
    return this.#attempt(read, otherwise, () => {
      this.broken = true;
    });
  }

  /** A part that may be left out of an answer that fails anyway. */
  may<T, Other>(read: () => T, otherwise: Other): T | Other {
    return this.#attempt(read, otherwise, () => {});
  }

  #attempt<T, Other>(read: () => T, otherwise: Other, failed: () => void): T | Other {
    try {
      return read();
    } catch (error) {
      this.problem(reasonOf(error));
      failed();
      return otherwise;
    }
  }
}

/** For answers that judge nothing and are read whole or not at all: the first problem ends it. */
export const wholly: Pick<AnswerReading, "note" | "problem"> = { note: () => {}, problem: unreadable };

/** What a reader makes of an answer; what was remarked on the way is added to it. */
export type ReadReport = Omit<CompleteReport, "notes" | "partlyRead">;

/**
 * The only way from an answer to a report. What would pass has to be without any problem; what fails by what was read of
 * it fails all the same, and can then never pass, whatever becomes of the findings that were read.
 */
export function conclude(
  answer: AgentAnswer,
  options: ReadOptions,
  read: (reading: AnswerReading) => ReadReport,
): Report {
  if (answer.finished !== true) return { status: "inconclusive", reason: "The reviewer did not finish its answer." };
  const reading = new AnswerReading(options);
  const report = reading.need(() => read(reading), undefined);
  const { notes, problems } = reading;
  const [first, ...more] = problems;
  if (report !== undefined && first === undefined) return { ...report, notes };
  if (report !== undefined && !reading.broken && fails(report))
    return { ...report, notes: [...notes, ...problems], partlyRead: true };
  return {
    status: "inconclusive",
    reason: inOneSentence(first ?? "The answer could not be read.", more.length),
    problems,
  };
}

/** By any policy: something that must be fixed, or a rejection with what it rests on. */
function fails({ claim, findings, compliance }: ReadReport): boolean {
  if ((compliance?.unmet.length ?? 0) > 0) return true;
  return findings.some(({ severity }) => atLeast(severity, "high")) || (claim === "fail" && findings.length > 0);
}

function inOneSentence(first: string, more: number): string {
  return more === 0 ? first : `${first.replace(/\.$/, "")}, and ${more} more.`;
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
  const plain = withoutThoughts(text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n"));
  if (plain.trim() === "") return unreadable("The answer is empty.");
  refuseHidden(plain, "The answer");
  return plain;
}

/** Some local models print what they think first, in an element of its own: the answer is what comes below it. */
function withoutThoughts(text: string): string {
  const found = /^\s*<(think|thinking)>\n.*?\n<\/\1>\n/s.exec(text)?.[0];
  return found === undefined || /<\/?think(?:ing)?>/.test(text.slice(found.length)) ? text : text.slice(found.length);
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
