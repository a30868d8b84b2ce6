import type { Language } from "./file-kind.ts";
import { type Quote, SYNTAX, type Syntax } from "./syntax.ts";

/** A stretch of text that is not code. Quote marks count as code, so that a call keeps its shape. */
export interface Segment {
  kind: "string" | "comment";
  start: number;
  end: number;
}

/** Splits a text into code, strings and comments; at worst it is wrong up to the next line. */
export function segments(text: string, language: Language): Segment[] {
  const syntax = SYNTAX[language];
  const found: Segment[] = [];
  const templates: number[] = [];
  let depth = 0;
  let last = -1;
  let at = 0;
  const mark = marks(syntax);
  while (at < text.length) {
    mark.lastIndex = at;
    const next = mark.exec(text)?.index ?? text.length;
    last = lastInk(text, at, next) ?? last;
    at = next;
    const comment = commentEnd(text, at, syntax);
    if (comment > 0) {
      found.push({ kind: "comment", start: at, end: comment });
      at = comment;
      continue;
    }
    const string = stringAt(text, at, syntax, last);
    if (string) {
      found.push({ kind: "string", start: string.start, end: string.end });
      at = string.next;
      last = at - 1;
      continue;
    }
    const char = text[at];
    if (syntax.javascript) {
      const resumes = char === "}" && templates.at(-1) === depth;
      if (char === "`" || resumes) {
        if (resumes) templates.pop();
        const piece = templatePiece(text, at + 1);
        found.push({ kind: "string", start: at + 1, end: piece.end });
        if (piece.opens) templates.push(depth);
        at = piece.next;
        last = at - 1;
        continue;
      }
      if (char === "{") depth++;
      if (char === "}") depth--;
    }
    if (char !== " " && char !== "\n" && char !== "\t" && char !== "\r") last = at;
    at++;
  }
  return found;
}

const MARKS = new Map<Syntax, RegExp>();

/** Everything that can open a comment or a string, or that templates count: the code between is skipped in one go. */
function marks(syntax: Syntax): RegExp {
  const known = MARKS.get(syntax);
  if (known) return known;
  const openers = [...syntax.block.map(([open]) => open), ...syntax.line, ...syntax.quotes.map(({ open }) => open)];
  if (syntax.characters) openers.push("'");
  if (syntax.javascript) openers.push("/", "`", "{", "}");
  const escaped = openers.map((open) => open.replace(/[^\w\n]/g, "\\$&"));
  const made = new RegExp(escaped.length === 0 ? "(?!)" : escaped.join("|"), "g");
  MARKS.set(syntax, made);
  return made;
}

/** Where the last character of a stretch is that is not white space. */
function lastInk(text: string, from: number, to: number): number | undefined {
  for (let at = to - 1; at >= from; at--) if (!" \n\t\r".includes(text[at] ?? "")) return at;
  return undefined;
}

function commentEnd(text: string, at: number, syntax: Syntax): number {
  for (const [open, close] of syntax.block) {
    if (!text.startsWith(open, at)) continue;
    const end = text.indexOf(close, at + open.length);
    return end < 0 ? text.length : end + close.length;
  }
  for (const open of syntax.line) {
    if (!text.startsWith(open, at)) continue;
    if (open === "#" && syntax.hashAfterSpace && at > 0 && !/\s/.test(text[at - 1] ?? "")) continue;
    if (open === "#" && text[at + 1] === "[" && syntax.line.length > 1) continue;
    return lineEnd(text, at);
  }
  return 0;
}

interface Lexed {
  start: number;
  end: number;
  next: number;
}

function stringAt(text: string, at: number, syntax: Syntax, last: number): Lexed | null {
  const char = text[at];
  if (char === "'" && syntax.characters) {
    CHARACTER.lastIndex = at;
    const length = CHARACTER.exec(text)?.[0].length;
    return length ? { start: at + 1, end: at + length - 1, next: at + length } : null;
  }
  if (char === "/" && syntax.javascript) return regexAt(text, at, last);
  for (const quote of syntax.quotes) {
    if (!text.startsWith(quote.open, at)) continue;
    if (quote.open.startsWith("r") && /\w/.test(text[at - 1] ?? "")) continue;
    return quoted(text, at, quote);
  }
  return null;
}

const CHARACTER = /'(?:\\[^'\n]+|\\'|[^'\\\n])'/y;

function quoted(text: string, at: number, quote: Quote): Lexed {
  const start = at + quote.open.length;
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (char === "\\" && quote.escapes) i++;
    else if (char === "\n" && !quote.multiline) return { start, end: i, next: i };
    else if (text.startsWith(quote.close, i)) return { start, end: i, next: i + quote.close.length };
  }
  return { start, end: text.length, next: text.length };
}

/** Reads a template up to its end or to the next `${`. */
function templatePiece(text: string, start: number): { end: number; next: number; opens: boolean } {
  for (let i = start; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === "`") return { end: i, next: i + 1, opens: false };
    else if (text[i] === "$" && text[i + 1] === "{") return { end: i, next: i + 2, opens: true };
  }
  return { end: text.length, next: text.length, opens: false };
}

const BEFORE_REGEX =
  /(?:^|[(,=:[!&|?{};+\-*%~^>]|\b(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield))$/;

function regexAt(text: string, at: number, last: number): Lexed | null {
  if (text[at + 1] === ">" || !BEFORE_REGEX.test(text.slice(Math.max(0, last - 10), last + 1))) return null;
  let inClass = false;
  for (let i = at + 1; i < text.length && text[i] !== "\n"; i++) {
    const char = text[i];
    if (char === "\\") i++;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "/" && !inClass) return { start: at + 1, end: i, next: i + 1 };
  }
  return null;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}
