import { oneLine, plainText } from "../../text/text.ts";
import { type AnswerReading, refuseDirections, refuseHidden, unreadable } from "../answer/answer.ts";
import { nearMiss } from "../answer/near-miss.ts";

export type Decoder<T> = (value: unknown, path: string) => T;
export type Fields = Record<string, unknown>;

const MAX_DEPTH = 64;
// A finding may be about escape sequences and show one; its text is cleaned when it is decoded.
const SHOWN_TEXTS = /^(?:description|suggestedFix|message|suggestion|required_action|evidence|file)$/;

/**
 * Refuses structured output that could hide something: cycles, prototypes, control characters in what the contract names (`named`),
 * unless it is a text that is `shown` and cleaned. What stands under other keys judges nothing, and is cleaned where it is shown.
 * Notes every name of a file that does not print, with which a finding is not placed.
 */
export function inspect(
  { note }: Pick<AnswerReading, "note">,
  value: unknown,
  named: readonly string[],
  shown = SHOWN_TEXTS,
): void {
  walk(value, "The answer", 0, "named");

  function walk(part: unknown, path: string, depth: number, place: "named" | "unknown"): void {
    if (depth > MAX_DEPTH) unreadable(`The JSON is nested more than ${MAX_DEPTH} levels deep.`);
    if (typeof part === "string") {
      const isCleaned = place === "unknown" || SHOWN_TEXTS.test(path) || shown.test(path);
      (isCleaned ? refuseDirections : refuseHidden)(part, oneLine(path));
      if (path === "file" && place === "named" && !prints(part))
        note(`The file name "${oneLine(part)}" does not print as it is.`);
    }
    if (typeof part !== "object" || part === null) return;
    const isList = Array.isArray(part);
    for (const [key, inner] of Object.entries(part)) {
      if (key === "__proto__") unreadable('The JSON uses the key "__proto__".');
      refuseDirections(key, "A JSON key");
      const known = isList || named.includes(key) ? place : "unknown";
      walk(inner, isList ? `${path}[${key}]` : key, depth + 1, known);
    }
  }
}

function prints(text: string): boolean {
  return plainText(text) === text;
}

/** A plain object. Unknown keys are handed to `extra`; one that looks like a known key is a problem. */
export function fieldsOf(
  { problem }: Pick<AnswerReading, "problem">,
  value: unknown,
  path: string,
  known: readonly string[],
  extra: (key: string) => void,
): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return wrong(value, path, "an object");
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const shown = oneLine(key);
    const meant = nearMiss(shown, known);
    if (meant !== undefined) problem(`${path} has the key "${shown}" where "${meant}" was expected.`);
    else extra(key);
  }
  return Object.fromEntries(Object.entries(value));
}

/** What is noted of a key that the contract does not name. */
export function ignored(key: string, place = ""): string {
  return `Unknown key "${oneLine(key)}"${place} was ignored.`;
}

export function required<T>(fields: Fields, key: string, path: string, decode: Decoder<T>): T {
  if (!Object.hasOwn(fields, key)) return unreadable(`${path} has no "${key}".`);
  return decode(fields[key], inside(path, key));
}

/** Absent and null are the same: models write both for "does not apply". */
export function optional<T>(fields: Fields, key: string, path: string, decode: Decoder<T>): T | undefined {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return value === undefined || value === null ? undefined : decode(value, inside(path, key));
}

// The whole is named in words ("The review"), what is inside of it by its path.
function inside(path: string, key: string): string {
  return path.includes(" ") ? key : `${path}.${key}`;
}

export function string(value: unknown, path: string): string {
  return typeof value === "string" ? plainText(value) : wrong(value, path, "a string");
}

/** A path as it is written; an empty one does not count. Neither does one that does not print, which would name another file once it is cleaned. */
export function fileName(value: unknown, path: string): string | undefined {
  if (typeof value !== "string") return wrong(value, path, "a string");
  return value.trim() === "" || !prints(value) ? undefined : value.trim();
}

export function filled(value: unknown, path: string): string {
  const text = string(value, path).trim();
  return text === "" ? unreadable(`${path} is empty where text was expected.`) : text;
}

export function flag(value: unknown, path: string): boolean {
  return typeof value === "boolean" ? value : wrong(value, path, "true or false");
}

export function score(value: unknown, path: string): number {
  const inRange = typeof value === "number" && value >= 0 && value <= 100;
  return inRange ? value : wrong(value, path, "a number from 0 to 100");
}

export function count(value: unknown, path: string): number {
  const whole = typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
  return whole ? value : wrong(value, path, "a whole number from 0");
}

/** Lines count from 1, and models write 0 for a finding without a line. One that is text is no number, but it is a location. */
export function lineNumber({ problem }: AnswerReading): Decoder<number | undefined> {
  return (value, path) => {
    const digits =
      typeof value === "string" ? /^(?:lines? |L)?(\d{1,7})(?:\s?[-–,]\s?L?\d+)*$/i.exec(value.trim())?.[1] : undefined;
    if (digits !== undefined) problem(`${path} is ${JSON.stringify(value)} where a line number from 1 was expected.`);
    const line = digits === undefined ? value : Number(digits);
    const whole = typeof line === "number" && Number.isSafeInteger(line) && line >= 0;
    if (!whole) return wrong(value, path, "a line number from 1");
    return line === 0 ? undefined : line;
  };
}

/** One of the words, in any case: for words that can only add a finding, never for a verdict. */
export function wordOf<const W extends string>(words: readonly W[]): Decoder<W> {
  const exact = oneOf(words);
  return (value, path) =>
    words.find((word) => typeof value === "string" && word === value.trim().toLowerCase()) ?? exact(value, path);
}

/** Text, or a list of texts as its lines. */
export function texts(value: unknown, path: string): string {
  return Array.isArray(value) ? listOf(string)(value, path).join("\n") : string(value, path);
}

export function oneOf<const W extends string>(words: readonly W[]): Decoder<W> {
  return (value, path) =>
    words.find((word) => word === value) ?? wrong(value, path, words.map((word) => `"${word}"`).join(" or "));
}

/** A list of which every item is read by itself, so that one that is wrong hides nothing of the others. */
export function itemsOf<T>(
  reading: AnswerReading,
  decode: (reading: AnswerReading, value: unknown, path: string) => T,
): Decoder<T[]> {
  const item: Decoder<T[]> = (value, path) => reading.may(() => [decode(reading, value, path)], []);
  return (value, path) => listOf(item)(value, path).flat();
}

export function listOf<T>(decode: Decoder<T>): Decoder<T[]> {
  return (value, path) =>
    Array.isArray(value) ? value.map((item, index) => decode(item, `${path}[${index}]`)) : wrong(value, path, "a list");
}

function wrong(value: unknown, path: string, expected: string): never {
  const shown = typeof value === "string" ? JSON.stringify(value.slice(0, 40)) : kindOf(value);
  return unreadable(`${path} is ${shown} where ${expected} was expected.`);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "number" || typeof value === "boolean" ? String(value) : `of the kind ${typeof value}`;
}
