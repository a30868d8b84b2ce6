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

/** Lines longer than this are minified or data: no person wrote them, no line rule reads them. */
export const LONGEST_LINE = 1_000;

/** Offsets of all matches of a pattern, with their match. */
export function* matches(text: string, pattern: RegExp): Generator<RegExpExecArray> {
  const global = new RegExp(pattern.source, pattern.flags.includes("g") ? pattern.flags : `${pattern.flags}g`);
  for (let match = global.exec(text); match; match = global.exec(text)) {
    yield match;
    if (match[0] === "") global.lastIndex++;
  }
}
