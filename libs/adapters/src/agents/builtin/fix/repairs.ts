import type { Finding } from "@anneal/types";
import { type CodeText, codeText } from "../lex/code-text.ts";
import type { Language } from "../lex/file-kind.ts";
import { trailingCommas, withoutCommas } from "../rules/data-syntax.ts";
import { focuses } from "../rules/focused-test.ts";
import { more, safelyDeletable } from "./deletable.ts";
import { locate } from "./locate.ts";

/** A cut out of the text, belonging to one finding. */
interface Cut {
  start: number;
  end: number;
  put: string;
}

export type Repair = { finding: Finding; done: string; cuts: Cut[] } | { finding: Finding; left: string };

type Repairer = (findings: Finding[], code: CodeText, language: Language) => Repair[];

/** The rules that can be repaired without judgement, each with its repair. */
export const REPAIRERS: Record<string, Repairer> = {
  "focused-test": unfocus,
  "debug-leftover": deleteLine,
  "broken-data-file": dropTrailingCommas,
};

function unfocus(findings: Finding[], code: CodeText, language: Language): Repair[] {
  const all = focuses(code, language);
  return locate(findings, linesOf(code)).map((located) => {
    const { finding } = located;
    if ("reason" in located) return { finding, left: located.reason };
    const here = all.filter((focus) => code.lineAt(focus.start) === located.line);
    const cuts = here.flatMap(({ start, end, without }) => (without === null ? [] : [{ start, end, put: without }]));
    if (cuts.length === 0 || cuts.length < here.length)
      return { finding, left: "what restricts the run to this test is not a plain word that can be removed" };
    return { finding, done: "removed the restriction to this test, so that all tests run again", cuts };
  });
}

function deleteLine(findings: Finding[], code: CodeText, language: Language): Repair[] {
  const lines = linesOf(code);
  // Reported lines that do nothing else do not count as neighbours, found for certain or not: so no line becomes
  // deletable because another one was left.
  const reported = new Set(findings.map(({ snippet }) => snippet));
  const numbers = lines.flatMap((text, index) => (reported.has(text) ? [index + 1] : []));
  const doomed = new Set(numbers.filter((line) => more(code, line, language) === null));
  return locate(findings, lines).map((one) => {
    const { finding } = one;
    if ("reason" in one) return { finding, left: one.reason };
    const doubt = safelyDeletable(code, one.line, language, doomed);
    if (doubt) return { finding, left: doubt };
    return { finding, done: "deleted the line", cuts: [lineCut(code, one.line)] };
  });
}

/** All commas go or none: a file that still does not parse is not repaired. */
function dropTrailingCommas(findings: Finding[], code: CodeText): Repair[] {
  const left = (reason: string) => findings.map((finding) => ({ finding, left: reason }));
  const commas = trailingCommas(code.text);
  if (commas.length === 0) return left("the file has no trailing comma to remove");
  const body = (text: string) => text.replace(/^\uFEFF/, "");
  if (!parses(body(withoutCommas(code.text, commas))))
    return left("removing trailing commas is not enough to make the file valid");
  const reported = new Map(findings.map((finding) => [finding, [] as Cut[]]));
  for (const at of commas) {
    const line = code.lineAt(at);
    const owner = findings.find(
      (finding) => finding.snippet === code.line(line) && Math.abs((finding.line ?? line) - line) <= 50,
    );
    if (!owner) return left("a comma outside of the finding would have to be removed too");
    reported.get(owner)?.push({ start: at, end: at + 1, put: "" });
  }
  return [...reported].map(([finding, cuts]) =>
    cuts.length > 0
      ? { finding, done: "removed the trailing comma, and the file is valid", cuts }
      : { finding, done: "fixed together with the finding above", cuts },
  );
}

/** Applies the repairs of one text, and takes them back if its brackets no longer add up as before. */
export function applyRepairs(code: CodeText, repairs: Repair[], language: Language): string | null {
  const cuts = repairs.flatMap((repair) => ("cuts" in repair ? repair.cuts : [])).sort((a, b) => b.start - a.start);
  const text = cuts.reduce((out, { start, end, put }) => out.slice(0, start) + put + out.slice(end), code.text);
  return balance(codeText(text, language).code) === balance(code.code) ? text : null;
}

/** How many brackets of each kind stay open: an edit that changes that has broken something. */
function balance(code: string): string {
  const count = (char: string) => code.split(char).length - 1;
  return `${count("(") - count(")")} ${count("[") - count("]")} ${count("{") - count("}")}`;
}

function lineCut(code: CodeText, line: number): Cut {
  const start = code.startOf(line);
  const end = code.startOf(line + 1);
  if (end < code.text.length || code.text.endsWith("\n")) return { start, end, put: "" };
  // The last line has no line ending of its own: the one before it goes instead, so that none appears at the end.
  const before = /\r?\n$/.exec(code.text.slice(0, start))?.[0].length ?? 0;
  return { start: start - before, end, put: "" };
}

function linesOf(code: CodeText): string[] {
  return Array.from({ length: code.lineCount }, (_, index) => code.line(index + 1));
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
