import type { AnswerReading } from "../answer/answer.ts";
import { type AnswerLine, withoutEmphasis } from "../prose/markdown.ts";
import { saysNone } from "../prose/none.ts";
import { type CodeLocation, readLines, readLocations } from "./code-location.ts";

/** One entry of a findings document, in the document's own words. */
export interface DocumentEntry {
  /** As written; where there is none, its position in the section. */
  number: number;
  category?: string;
  title: string;
  file?: string;
  line?: number;
  endLine?: number;
  problem: string;
  impact?: string;
  fix?: string;
  /** Further locations, where the entry names several files. */
  also?: CodeLocation[];
}

type Field = "file" | "line" | "problem" | "impact" | "fix" | "severity";
const FIELDS: Record<string, Field> = {
  file: "file",
  files: "file",
  location: "file",
  locations: "file",
  line: "line",
  lines: "line",
  problem: "problem",
  issue: "problem",
  description: "problem",
  details: "problem",
  severity: "severity",
  impact: "impact",
  why: "impact",
  fix: "fix",
  "suggested fix": "fix",
  suggestion: "fix",
  recommendation: "fix",
};

interface Draft {
  number?: number;
  category?: string;
  title: string;
  parts: Partial<Record<Field, string[]>>;
}

/** The numbered entries of one section. The numbers themselves mean nothing: models restart them in every section. */
export function readDocumentIssues(reading: AnswerReading, lines: AnswerLine[], severity: string): DocumentEntry[] {
  const { note, problem } = reading;
  const drafts: Draft[] = [];
  let into: Field = "problem";
  let noneSaid = false;
  const stray = (line: AnswerLine) =>
    problem(`"${line.text.trim().slice(0, 60)}" under ${severity} is neither an issue nor the word "None".`);
  const numbered = lines.some((line) => line.kind === "text" && line.indent < 2 && NUMBERED.test(line.text));
  for (const line of lines) {
    const draft = drafts.at(-1);
    if (line.kind !== "text") {
      if (holdsField(line)) problem(`"${line.text.trim().slice(0, 60)}" is in quoted text, not in the list.`);
      if (draft !== undefined) push(draft, into, line.text);
      else if (line.text.trim() !== "") stray(line);
      continue;
    }
    const field = fieldOn(line);
    if (field !== undefined) {
      if (draft === undefined) problem(`"${line.text.trim().slice(0, 60)}" under ${severity} belongs to no issue.`);
      else {
        if (draft.parts[field.name] !== undefined && field.once)
          problem(`The issue "${draft.title}" under ${severity} has "${field.name}" twice.`);
        if (FIELD_INSIDE.test(field.value)) problem(`"${line.text.trim().slice(0, 60)}" has two details on one line.`);
        into = field.name;
        push(draft, into, field.value);
      }
      continue;
    }
    if (holdsField(line)) problem(`"${line.text.trim().slice(0, 60)}" does not stand on a line of its own.`);
    const head = line.indent < 2 && (!numbered || STANDS_OUT.test(line.text)) ? readHead(line.text) : undefined;
    if (saysNothing(line.text)) noneSaid = true;
    else if (head !== undefined) {
      drafts.push(head);
      into = "problem";
    } else if (draft !== undefined) push(draft, into, line.text.trim());
    else if (/[\p{L}\p{N}]/u.test(line.text)) stray(line);
  }
  if (!noneSaid && drafts.length === 0) {
    if (severity !== "Minor") problem(`The section ${severity} is empty where "None" was expected.`);
    else note("The section Minor is empty; it was read as None.");
  }
  if (noneSaid && drafts.length > 0) note(`The section ${severity} says None, but it lists issues; they count.`);
  return drafts.flatMap((draft, index) => finish(reading, { number: index + 1, ...draft }, severity));
}

function push(draft: Draft, field: Field, text: string): void {
  const part = draft.parts[field];
  if (part === undefined) draft.parts[field] = [text];
  else part.push(text);
}

const NUMBERED = /^\s*(?:#{2,6}\s+)?(?:\*\*|__)?#?\d+[.)]\s/;
/** Where entries are numbered, only a number or a category starts one; the summary's counts catch what that would miss. */
const STANDS_OUT = /^\s*(?:#{2,6}\s+|[-*+•]\s+)?(?:\*\*|__)?(?:#?\d+[.)]\s|\[[^\]]+\](?!\()[:*_\s]*[^:*_\s])/;

function readHead(text: string): Draft | undefined {
  const found = /^\s*(?:#{2,6}\s+|[-*+•]\s+)?(?:\*\*|__)?(?:#?(\d+)[.):]\s*)?(.*)$/.exec(text);
  const marked = /^\s*(?:#{2,6}\s|[-*+•]\s|(?:\*\*|__)|#?\d+[.)]\s)/.test(text);
  const shown = withoutEmphasis(found?.[2] ?? "");
  if (!marked || shown === "" || /^([-*_])(?:\s*\1){2,}$/.test(text.trim())) return undefined;
  const number = Number(found?.[1] ?? 0);
  const bracketed = /^\[([^\]]+)\](?!\()\s*[:\-–—]*\s*(.*)$/.exec(shown);
  return {
    ...(number > 0 ? { number } : {}),
    ...(bracketed === null ? {} : { category: (bracketed[1] ?? "").trim() }),
    title: bracketed === null ? shown : (bracketed[2] ?? "").trim(),
    parts: {},
  };
}

function fieldOn(line: AnswerLine): { name: Field; value: string; once: boolean } | undefined {
  const found = /^\s*(?:[-*+•]\s+)?(\*\*|__)?([A-Za-z ]+?)(?:\*\*|__)?\s*:\s*(?:\*\*|__)?\s*(.*)$/.exec(line.text);
  const word = (found?.[2] ?? "").toLowerCase();
  const name = Object.hasOwn(FIELDS, word) ? FIELDS[word] : undefined;
  if (found === null || name === undefined) return undefined;
  return { name, value: found[3] ?? "", once: name === "line" || name === "severity" };
}

const FIELD_INSIDE = /[-*+]\s+\*\*(?:Files?|Problem|Impact|Fix):\*\*/;

function holdsField(line: AnswerLine): boolean {
  return FIELD_INSIDE.test(line.probe);
}

function saysNothing(text: string): boolean {
  return saysNone(
    text,
    /^(?:none|n\/a|nothing|no (?:new |further |remaining )?(?:(?:critical|important|minor) )?(?:issues|findings|problems))(?: (?:were|was|have been))?(?: (?:identified|found|detected|remain|to report))?(?: in this (?:round|review|branch|change))?$/i,
  );
}

function finish(reading: AnswerReading, draft: Draft & { number: number }, severity: string): DocumentEntry[] {
  const value = (field: Field) => draft.parts[field]?.join("\n").trim() ?? "";
  const [place, ...also] = readLocations(value("file"), reading);
  const problem = value("problem");
  refuseGraver(reading, [value("severity"), draft.category ?? ""], draft.title, severity);
  const title = draft.title === "" ? (problem.split("\n")[0] ?? "") : draft.title;
  if (title === "") {
    reading.problem(`An issue under ${severity} has neither a title nor a problem.`);
    return [];
  }
  const entry = {
    number: draft.number,
    ...(draft.category === undefined ? {} : { category: draft.category }),
    title,
    ...place,
    ...(place === undefined ? {} : readLines(value("line"), reading)),
    problem,
    ...(value("impact") === "" ? {} : { impact: value("impact") }),
    ...(value("fix") === "" ? {} : { fix: value("fix") }),
    ...(also.length === 0 ? {} : { also }),
  };
  return [entry];
}

// The whole word: "Error handling" is a category.
const CLASSES: readonly [string, RegExp][] = [
  ["Critical", /^\W*(?:critical|blocker|blocking|severe|p0)\W*$/i],
  ["Important", /^\W*(?:important|high|major|medium|error|must[- ]fix|p1)\W*$/i],
];

// The section says how grave an entry is; an entry that calls itself graver stands in the wrong one.
function refuseGraver({ problem }: AnswerReading, words: readonly string[], title: string, severity: string): void {
  const section = CLASSES.findIndex(([name]) => name === severity);
  const isGraver = ([, pattern]: (typeof CLASSES)[number], rank: number) =>
    (section < 0 || rank < section) && words.some((word) => pattern.test(word));
  const own = CLASSES.find(isGraver)?.[0];
  if (own !== undefined) problem(`The issue "${title.slice(0, 60)}" under ${severity} calls itself ${own}.`);
}
