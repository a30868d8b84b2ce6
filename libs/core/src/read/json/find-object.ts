import { isRecord } from "@anneal/types/unknown";
import { type AgentAnswer, type AnswerReading, admit, unreadable } from "../answer/answer.ts";
import { type AnswerLine, type CodeFence, closesFence, hunkLength, linesOf, opensFence } from "../prose/markdown.ts";
import { type Json, type JsonObject, parseObject, strictObject } from "./json.ts";

/** The keys that tell a contract's objects from other JSON. */
export interface AnswerKeys {
  /** An object with any of these is meant as the answer. */
  whole: readonly string[];
  /** An object with any of these belongs inside the answer; on its own it is what is left of a damaged one. */
  inner: readonly string[];
  /** Names that only the answer uses, so that even code of another language cannot hold them by chance. */
  telling: RegExp;
}

/** The object that is meant as the answer, and what is said around it. */
export interface FoundAnswer {
  value: unknown;
  prose: AnswerLine[];
  /** Where the text next to structured output holds another answer: what that one says instead. */
  otherwise?: string;
}

/** The agent's structured output where it has one, else the one object of its text that is meant as the answer. */
export function objectIn(answer: AgentAnswer, shape: AnswerKeys): FoundAnswer {
  if (answer.structured !== undefined) return { value: answer.structured, ...structuredNotes(answer, shape) };
  return (
    findObject(admit(answer.text), shape) ?? unreadable(`The answer has no JSON object with ${named(shape.whole)}.`)
  );
}

/** A pass whose text answers differently is no pass. */
export function refuseOtherwise({ problem }: AnswerReading, { otherwise }: FoundAnswer): void {
  if (otherwise !== undefined) problem(`The structured answer claims a pass, but the text beside it ${otherwise}.`);
}

/** The text next to structured output is never the answer, but what it says against it counts. */
function structuredNotes({ text, structured }: AgentAnswer, shape: AnswerKeys): Omit<FoundAnswer, "value"> {
  if (typeof text !== "string" || text.trim() === "") return { prose: [] };
  const whole = strictObject(text);
  if ("value" in whole && JSON.stringify(whole.value) === JSON.stringify(structured)) return { prose: [] };
  if ("problem" in whole && isJson(text)) return { prose: [], otherwise: `cannot be read: ${whole.problem}` };
  const plain = text.replace(/\r\n?/g, "\n");
  try {
    const found = findObject(plain, shape);
    if (found === undefined) return { prose: linesOf(plain) };
    const otherwise = differs(found.value, structured, shape.whole);
    return otherwise === undefined ? { prose: found.prose } : { prose: found.prose, otherwise };
  } catch {
    return {
      prose: plain.split("\n").map((line) => ({ kind: "text", text: line, plain: line, probe: line, indent: 0 })),
    };
  }
}

/** JSON to others, who would see one answer where there are two. */
function isJson(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}

function differs(inText: unknown, structured: unknown, keys: readonly string[]): string | undefined {
  const at = (from: unknown, key: string) => Object.entries(Object(from)).find(([name]) => name === key)?.[1];
  const key = keys.find((one) => {
    const said = at(inText, one);
    return said !== undefined && typeof said !== "object" && said !== at(structured, one);
  });
  return key === undefined ? undefined : `says ${JSON.stringify(at(inText, key))} for "${key}"`;
}

/** Quotes, diffs and comments do not count; two answers or pieces of one are refused. */
export function findObject(text: string, { whole, inner, telling }: AnswerKeys): FoundAnswer | undefined {
  const objects = objectsOf(text, telling);
  const answers = objects.filter(({ value, stands }) => stands && hasAny(value, whole));
  if (answers.length > 1) {
    unreadable(`The answer has ${answers.length} JSON objects with ${named(whole)} where one was expected.`);
  }
  if (
    objects.some((object) => (answers.includes(object) ? hasAny(object.value, inner) : holdsAny(object.value, inner)))
  ) {
    unreadable(`The answer has a JSON object with ${named(inner)} where it does not belong.`);
  }
  const [only] = answers;
  if (only !== undefined) refuseReported(text.slice(Math.max(0, only.start - 500), only.start));
  return only === undefined ? undefined : { value: only.value, prose: proseAround(text, objects, only) };
}

// An object that is assigned, commented out, quoted or announced as an example is shown, not said.
function refuseReported(before: string): void {
  const sameLine = before.slice(before.lastIndexOf("\n") + 1);
  const above = before.replace(/\n[`~]{3,}\w*\s*$/, "").trimEnd();
  const announced = above.slice(above.lastIndexOf("\n") + 1);
  if (SHOWN.test(sameLine) || EXAMPLE.test(announced)) {
    unreadable(`The JSON object of the answer follows "${announced.trim().slice(-60)}".`);
  }
}

const SHOWN = /(?:=|\/\/|<(?:blockquote|pre|del|q|cite|samp|code)(?:\s[^<>]*)?>)\s*$/i;
const EXAMPLE =
  /\b(?:example of|if\b.*\bwould|would (?:answer|have answered|look like)|(?:file|readme|diff|commit|comment|description)\b[^.]*\b(?:contains|says|reads)|[\w-]+\.\w+ (?:contains|says|reads)|injected|(?:asked|told) to (?:print|answer|output))\b[^.]{0,80}$/i;

const MARK = "\u0000";

function proseAround(text: string, objects: Found[], only: Found): AnswerLine[] {
  const pieces = objects.map((object, index) => [
    text.slice(objects[index - 1]?.end ?? 0, object.start),
    object === only ? MARK : " ",
  ]);
  const lines = linesOf([...pieces.flat(), text.slice(objects.at(-1)?.end ?? 0)].join(""));
  if (lines.some((line) => line.kind === "quote" && line.text.includes(MARK))) {
    unreadable("The JSON object of the answer is in quoted text.");
  }
  return lines.map((line) => ({ ...line, plain: line.plain.replace(MARK, " ") }));
}

interface Found {
  value: JsonObject;
  start: number;
  end: number;
  /** Whether it stands for itself, not inside a list or loose braces. */
  stands: boolean;
}

function objectsOf(text: string, telling: RegExp): Found[] {
  const found: Found[] = [];
  let fence: CodeFence | undefined;
  let braces = 0;
  let at = 0;
  let lineEnd = -1;
  while (at < text.length) {
    if (at > lineEnd) lineEnd = endOfLine(text, at);
    if (at === 0 || text[at - 1] === "\n") {
      const line = text.slice(at, lineEnd);
      const wasFenced = fence !== undefined;
      if (fence === undefined) fence = opensFence(line);
      else if (closesFence(fence, line)) fence = undefined;
      const isFenceLine = wasFenced !== (fence !== undefined);
      const hunk = fence === undefined ? hunkLength(line) : undefined;
      if (hunk !== undefined) {
        at = skipLines(text, lineEnd + 1, hunk);
        continue;
      }
      if (isFenceLine || (fence === undefined ? isQuotedOrDiff(line) : !holdsJson(fence))) {
        if (!isFenceLine) refuseTelling(line, fence, telling);
        at = lineEnd + 1;
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
      found.push({
        value,
        start: at,
        end,
        stands: braces === 0 && !/[[,]\s*$/.test(text.slice(Math.max(0, at - 50), at)),
      });
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

// Rulings are optional, so a quoted list of them would go unmissed; in other code the answer itself may be mislabelled.
function refuseTelling(line: string, fence: CodeFence | undefined, telling: RegExp): void {
  const refused = fence === undefined ? /"rulings"\s*:/ : telling;
  if (fence?.language !== "diff" && refused.test(line)) {
    unreadable(`The answer has ${line.trim().slice(0, 40)} in quoted text, outside of any JSON object.`);
  }
}

function hasAny(object: JsonObject, keys: readonly string[]): boolean {
  return keys.some((key) => Object.hasOwn(object, key));
}

function holdsAny(value: Json, keys: readonly string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  return (!Array.isArray(value) && hasAny(value, keys)) || Object.values(value).some((inner) => holdsAny(inner, keys));
}

function named(keys: readonly string[]): string {
  return keys.map((key) => `"${key}"`).join(" or ");
}

function holdsJson(fence: CodeFence): boolean {
  return ["", "json", "jsonc"].includes(fence.language);
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
