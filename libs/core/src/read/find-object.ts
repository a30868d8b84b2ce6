import { type Answer, admit, unreadable } from "./answer.ts";
import { type JsonObject, parseObject } from "./json.ts";
import { closesFence, type Fence, hunkLength, opensFence } from "./markdown.ts";

/** The agent's structured output where it has one, else the object in its text. */
export function objectIn(answer: Answer, keys: readonly string[]): unknown {
  return answer.structured === undefined ? findObject(answer.text, keys) : answer.structured;
}

/** The one object of the answer that has any of the keys; quotes, diffs, comments and other languages' code do not count. */
function findObject(text: string, keys: readonly string[]): JsonObject {
  const candidates = objectsOf(admit(text)).filter((object) => keys.some((key) => Object.hasOwn(object, key)));
  const [only, second] = candidates;
  if (only === undefined) return unreadable(`The answer has no JSON object with ${named(keys)}.`);
  if (second !== undefined) {
    return unreadable(`The answer has ${candidates.length} JSON objects with ${named(keys)} where one was expected.`);
  }
  return only;
}

/** Every object that stands for itself in the text, in order. */
export function objectsOf(text: string): JsonObject[] {
  const found: JsonObject[] = [];
  let fence: Fence | undefined;
  let braces = 0;
  let at = 0;
  while (at < text.length) {
    const lineEnd = endOfLine(text, at);
    if (at === 0 || text[at - 1] === "\n") {
      const line = text.slice(at, lineEnd);
      const wasFenced = fence !== undefined;
      if (fence === undefined) fence = opensFence(line);
      else if (closesFence(fence, line)) fence = undefined;
      const hunk = fence === undefined ? hunkLength(line) : undefined;
      if (wasFenced !== (fence !== undefined) || (fence ? !holdsJson(fence) : isQuotedOrDiff(line))) {
        at = lineEnd + 1;
        continue;
      }
      if (hunk !== undefined) {
        at = skipLines(text, lineEnd + 1, hunk);
        continue;
      }
    }
    if (fence === undefined && text.startsWith("<!--", at)) {
      const end = text.indexOf("-->", at);
      if (end < 0) unreadable("The answer has an HTML comment that is never closed.");
      at = end + 3;
    } else if (fence === undefined && text[at] === "`") {
      at = afterInlineCode(text, at, lineEnd);
    } else if (text[at] === "{" && /^\{\s*["}]/.test(text.slice(at, at + 200))) {
      const { value, end } = parseObject(text, at);
      if (braces === 0 && !/[[,]\s*$/.test(text.slice(Math.max(0, at - 50), at))) found.push(value);
      at = end;
    } else {
      if (text[at] === '"' && STRAY_KEY.test(text.slice(at, at + 80))) {
        unreadable(`The answer has ${text.slice(at, at + 40).split("\n")[0]} outside of any JSON object.`);
      }
      if (text[at] === "{") braces++;
      if (text[at] === "}") braces = Math.max(0, braces - 1);
      at++;
    }
  }
  if (fence !== undefined) unreadable("The answer has a code fence that is never closed.");
  return found;
}

// A key on its own is what is left of an object that lost its start.
const STRAY_KEY = /^"[A-Za-z_]+"\s*:/;

function named(keys: readonly string[]): string {
  return keys.map((key) => `"${key}"`).join(" or ");
}

function holdsJson(fence: Fence): boolean {
  return fence.language === "" || fence.language === "json";
}

function isQuotedOrDiff(line: string): boolean {
  return /^\s*>|^[+-]/.test(line);
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function skipLines(text: string, from: number, count: number): number {
  let at = from;
  for (let skipped = 0; skipped < count && at < text.length && /[ +\-\\\n]/.test(text.charAt(at)); skipped++) {
    at = endOfLine(text, at) + 1;
  }
  return at;
}

function afterInlineCode(text: string, at: number, lineEnd: number): number {
  const ticks = /`+/y;
  ticks.lastIndex = at;
  const run = ticks.exec(text)?.[0] ?? "`";
  const end = text.indexOf(run, at + run.length);
  return end < 0 || end > lineEnd ? at + run.length : end + run.length;
}
