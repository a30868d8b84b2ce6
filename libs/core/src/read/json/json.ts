import { reasonOf, unreadable } from "../answer/answer.ts";

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

const MAX_DEPTH = 64;

/**
 * A text that is one JSON object and nothing else, or what is wrong with it. For answers of models, in which two equal keys
 * are two answers: JSON.parse would pass over the first.
 */
export function strictObject(text: string): { value: JsonObject } | { problem: string } {
  const start = text.search(/[^ \t\n\r\uFEFF]/);
  if (start < 0) return { problem: "It is empty." };
  if (text[start] !== "{") return { problem: "It is not a JSON object." };
  try {
    const { value, end } = parseObject(text, start);
    return /[^ \t\n\r]/.test(text.slice(end)) ? { problem: "It has more after its JSON object." } : { value };
  } catch (error) {
    return { problem: reasonOf(error) };
  }
}

/** Parses one object that starts at `start`. JSON.parse would keep the last of two equal keys, so it is not used. */
export function parseObject(text: string, start: number): { value: JsonObject; end: number } {
  let at = start;

  function fail(expected: string): never {
    const line = text.slice(0, at).split("\n").length;
    const column = at - text.lastIndexOf("\n", at - 1);
    const found = at < text.length ? `"${text.slice(at, at + 12).split("\n")[0]}"` : "the end of the answer";
    return unreadable(`The JSON at line ${line}, column ${column} has ${found} where ${expected} was expected.`);
  }

  function space(): void {
    while (at < text.length && " \t\n\r".includes(text.charAt(at))) at++;
  }

  function match(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  }

  function string(): string {
    // As in JSON itself, only what is below a space has to be written as an escape: the rest is for whoever reads the text.
    return JSON.parse(
      match(/"[[^"\\\p{Cc}]\u007f-\u009f]*(?:\\(?:["\\\/bfnrt]|u[0-9a-fA-F]{4})[[^"\\\p{Cc}]\u007f-\u009f]*)*"/vy) ??
        fail("a string"),
    );
  }

  function number(): number {
    const digits = match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y) ?? fail("a value");
    const value = Number(digits);
    return Number.isFinite(value) ? value : fail("a number of ordinary size");
  }

  function value(depth: number): Json {
    if (depth > MAX_DEPTH) return unreadable(`The JSON is nested more than ${MAX_DEPTH} levels deep.`);
    space();
    if (text[at] === "{") return object(depth);
    if (text[at] === "[") return array(depth);
    if (text[at] === '"') return string();
    const word = match(/true|false|null/y);
    if (word !== undefined) return word === "null" ? null : word === "true";
    return number();
  }

  function array(depth: number): Json[] {
    at++;
    const items: Json[] = [];
    space();
    if (text[at] === "]") return closed(items);
    for (;;) {
      items.push(value(depth + 1));
      space();
      if (text[at] === "]") return closed(items);
      if (text[at] !== ",") fail('"," or "]"');
      at++;
    }
  }

  function object(depth: number): JsonObject {
    at++;
    const entries = new Map<string, Json>();
    space();
    if (text[at] === "}") return closed({});
    for (;;) {
      space();
      const key = string();
      if (entries.has(key)) unreadable(`The JSON has the key "${key}" twice in one object.`);
      space();
      if (text[at] !== ":") fail('":"');
      at++;
      entries.set(key, value(depth + 1));
      space();
      if (text[at] === "}") return closed(Object.fromEntries(entries));
      if (text[at] !== ",") fail('"," or "}"');
      at++;
    }
  }

  function closed<T>(result: T): T {
    at++;
    return result;
  }

  return { value: object(0), end: at };
}
