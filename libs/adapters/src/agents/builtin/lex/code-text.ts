import type { Language } from "./file-kind.ts";
import { type Segment, segments } from "./lexer.ts";

/** A text with its views by kind; all views have the same length and the same lines as the text. */
export interface CodeText {
  text: string;
  /** Code only: what strings and comments hold is blank, quote marks stay. */
  code: string;
  /** Comments only. */
  comments: string;
  /** Code and strings, without comments. */
  uncommented: string;
  /** The line, counted from 1, that holds an offset. */
  lineAt(offset: number): number;
  /** A line as it stands, without its line ending. */
  line(number: number): string;
  /** The offset where a line starts. */
  startOf(number: number): number;
  lineCount: number;
}

export function codeText(text: string, language: Language): CodeText {
  const parts = segments(text, language);
  const starts = lineStarts(text);
  const startOf = (number: number) => starts[number - 1] ?? text.length;
  let code: string | undefined;
  let comments: string | undefined;
  let uncommented: string | undefined;
  return {
    text,
    get code() {
      code ??= masked(text, parts, (kind) => kind === "code");
      return code;
    },
    get comments() {
      comments ??= masked(text, parts, (kind) => kind === "comment");
      return comments;
    },
    get uncommented() {
      uncommented ??= masked(text, parts, (kind) => kind !== "comment");
      return uncommented;
    },
    lineAt: (offset) => lineOf(starts, offset),
    line: (number) => text.slice(startOf(number), startOf(number + 1)).replace(/\r?\n$/, ""),
    startOf,
    lineCount: starts.length,
  };
}

function masked(text: string, parts: Segment[], keeps: (kind: "code" | Segment["kind"]) => boolean): string {
  const out: string[] = [];
  let at = 0;
  const push = (end: number, kept: boolean) => {
    const piece = text.slice(at, end);
    out.push(kept ? piece : piece.replace(/[^\n]/g, " "));
    at = end;
  };
  for (const part of parts) {
    push(part.start, keeps("code"));
    push(part.end, keeps(part.kind));
  }
  push(text.length, keeps("code"));
  return out.join("");
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function lineOf(starts: number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? Number.POSITIVE_INFINITY) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
