import type { TextPosition } from "@anneal/system/files/errors";
import { findNodeAtLocation, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

const BOM = "\uFEFF";

export type JsonText =
  | { ok: true; text: string; value: unknown }
  | { ok: false; text: string; position: TextPosition; problem: string };

/** Reads bytes as strict JSON in UTF-8. A byte order mark, as some editors leave it, stays part of the text. */
export function readJsonText(bytes: Uint8Array): JsonText {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const invalidAt = invalidUtf8(bytes, text);
  if (invalidAt !== null) return damaged(text, invalidAt, "the bytes are not UTF-8");
  try {
    return { ok: true, text, value: JSON.parse(withoutMark(text)) };
  } catch {
    return damaged(text, ...firstProblem(text));
  }
}

/** Where the value at this path starts; where there is none, the nearest value around it. */
export function positionOfPath(text: string, path: readonly PropertyKey[]): TextPosition {
  const tree = parseTree(blankMark(text));
  const keys = path.filter((key) => typeof key !== "symbol");
  for (let length = keys.length; tree && length > 0; length--) {
    const node = findNodeAtLocation(tree, keys.slice(0, length));
    if (node) return positionAt(text, node.offset);
  }
  return positionAt(text, tree?.offset ?? 0);
}

/** The text with a blank in place of the mark, so that offsets stay true. */
export function blankMark(text: string): string {
  return text.startsWith(BOM) ? ` ${text.slice(1)}` : text;
}

function withoutMark(text: string): string {
  return text.startsWith(BOM) ? text.slice(1) : text;
}

function damaged(text: string, offset: number, problem: string): JsonText {
  return { ok: false, text, position: positionAt(text, offset), problem };
}

function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - lineStart + 1 };
}

function invalidUtf8(bytes: Uint8Array, text: string): number | null {
  const replaced = text.indexOf("\uFFFD");
  if (replaced < 0) return null;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return null;
  } catch {
    return replaced;
  }
}

function firstProblem(text: string): [offset: number, problem: string] {
  if (withoutMark(text).trim() === "") return [text.length, "the file is empty"];
  const errors: ParseError[] = [];
  try {
    parseTree(blankMark(text), errors, { disallowComments: true });
  } catch (error) {
    if (error instanceof RangeError) return [0, "it is nested too deeply"];
    throw error;
  }
  const [first] = errors.sort((a, b) => a.offset - b.offset);
  if (!first) return [0, "it is not valid JSON"];
  // The scanner reports a cut text at the first thing that is missing, which is its end.
  if (first.offset >= text.trimEnd().length) return [first.offset, "the file ends too early"];
  return [first.offset, WORDS[printParseErrorCode(first.error)] ?? "it is not valid JSON"];
}

const WORDS: Record<string, string> = {
  InvalidSymbol: "a value is not valid here",
  InvalidNumberFormat: "a number is written wrongly",
  PropertyNameExpected: "a property name in double quotes is expected",
  ValueExpected: "a value is expected",
  ColonExpected: "a colon is expected",
  CommaExpected: "a comma is expected",
  CloseBraceExpected: "a closing brace is expected",
  CloseBracketExpected: "a closing bracket is expected",
  EndOfFileExpected: "there is more text after the end of the value",
  InvalidCommentToken: "comments are not allowed in this file",
  UnexpectedEndOfString: "a string is not closed",
  UnexpectedEndOfNumber: "a number is cut off",
  InvalidUnicode: "a unicode escape is written wrongly",
  InvalidEscapeCharacter: "an escape in a string is written wrongly",
  InvalidCharacter: "a control character is not allowed in a string",
};
