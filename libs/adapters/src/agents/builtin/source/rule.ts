import type { Category, Severity } from "@anneal/types";
import type { FileKind } from "../lex/file-kind.ts";
import type { SourceFile } from "./source.ts";

/** What a rule saw, before the rule's own words are added to it. */
export interface Found {
  line?: number;
  endLine?: number;
  /** Where what it is about was taken out, for what is there no more. */
  goneAt?: number[];
  snippet: string;
  description: string;
  /** Set where this case differs from the rule's usual words. */
  title?: string;
  suggestion?: string;
  severity?: Severity;
  /** The name of the test that it is about, where it counts only for a test that came from elsewhere. */
  unlessNew?: string;
  /** Text that no finding of this file may show, with what takes its place. */
  hide?: { text: string; as: string }[];
}

/** Looks at one file. It runs only where `covers` says so and an added line holds the hint. */
export interface FileCheck {
  covers(kind: FileKind): boolean;
  hint: RegExp;
  look(source: SourceFile, notes: string[]): Promise<Found[]>;
}

export interface BuiltinRule {
  id: string;
  severity: Severity;
  category: Category;
  title: string;
  /** What the rule does, for people who read the list of rules. */
  about: string;
  impact: string;
  suggestion: string;
  /** Whether the embedded fixer may repair it, or only a person. */
  fix: "safe" | "person";
  /** Whether a line that only moved or changed its indentation is no news. */
  movable: boolean;
  /** Whether it also looks at generated, vendored and lock files. */
  everywhere: boolean;
  /** Rules about removed tests compare the whole change and share one ledger. */
  check: FileCheck | "test-ledger";
}

/** Lines longer than this are minified or data, or hide something: rules read them in pieces, and findings show a part. */
export const LONGEST_LINE = 1_000;

/** So much of a long line is read with the piece before it, too. */
const OVERLAP = 200;

/** The ranges of a text, from start to end, in which a rule reads it: all of it, or the pieces of a long line. */
export function piecesOf(start: number, end: number): [number, number][] {
  const pieces: [number, number][] = [];
  for (let from = start; pieces.length === 0 || from + OVERLAP < end; from += LONGEST_LINE - OVERLAP) {
    pieces.push([from, Math.min(end, from + LONGEST_LINE)]);
  }
  return pieces;
}

/** What stands around a place in a text, as far as one line that a person writes. */
export function around(text: string, at: number): string {
  return text.length <= LONGEST_LINE ? text : text.slice(Math.max(0, at - LONGEST_LINE / 2), at + LONGEST_LINE / 2);
}

/** Offsets of all matches of a pattern, with their match. */
export function* matches(text: string, pattern: RegExp): Generator<RegExpExecArray> {
  const global = new RegExp(pattern.source, pattern.flags.includes("g") ? pattern.flags : `${pattern.flags}g`);
  for (let match = global.exec(text); match; match = global.exec(text)) {
    yield match;
    if (match[0] === "") global.lastIndex++;
  }
}
