import type { Category, Finding, Report } from "@anneal/types";
import { CATEGORIES } from "@anneal/types/scales";
import { readCategory, readSeverity } from "../findings/severity-and-category.ts";
import {
  type AgentAnswer,
  type AnswerReading,
  admit,
  conclude,
  type ReadOptions,
  type ReadReport,
  unreadable,
} from "./answer/answer.ts";
import { type DocumentEntry, readDocumentIssues } from "./parts/document-issues.ts";
import { type DocumentSummary, readDocumentSummary } from "./parts/document-summary.ts";
import { requireShort, requireSignOff, withoutSignOff } from "./parts/sign-off.ts";
import { beforeClosing, refuseCut } from "./prose/closing.ts";
import { type AnswerLine, headingOf, linesOf, unwrapped } from "./prose/markdown.ts";

const SEED = "adversarial";
const ISSUE_HEAD = /^[\s>]*\d+[.)]\s+\*\*\[/;
const ISSUE_FIELD = /^[\s>]*(?:[-*+]\s+)?\*\*(?:Files?|Location|Problem|Impact|Fix):?\*\*/i;
const CLASSES = ["critical", "important", "minor"] as const;
type Class = (typeof CLASSES)[number];

interface ReadDocument {
  issues: Record<Class, DocumentEntry[]>;
  summary: DocumentSummary;
}

/** Seed 003: a findings document with three sections and a summary with counts. */
export function readFindingsReport(answer: AgentAnswer, options: ReadOptions = {}): Report {
  return conclude(answer, options, (reading) => toReport(readDocument(reading, admit(answer.text))));
}

function readDocument(reading: AnswerReading, text: string): ReadDocument {
  const all = linesOf(unwrapped(text));
  const { lines, signOff } = withoutSignOff(
    reading,
    reading.may(() => beforeClosing(all, reading), all),
  );
  const parts = cut(reading, lines);
  // Of a section that is not there, nothing else is to be said.
  const listed = (name: Class, title: string) =>
    parts.seen.has(name) ? readDocumentIssues(reading, parts[name], title) : [];
  const issues = {
    critical: listed("critical", "Critical"),
    important: listed("important", "Important"),
    minor: listed("minor", "Minor"),
  };
  for (const name of CLASSES) {
    const announced = parts.announced[name] ?? 0;
    if (announced > issues[name].length)
      reading.problem(`The heading counts ${announced} for ${name}, but the document lists ${issues[name].length}.`);
  }
  const stray = parts.summary.find((line) => ISSUE_FIELD.test(line.probe) && !/\*\*(?:impact|fix)/i.test(line.probe));
  if (stray !== undefined) reading.broke(`"${stray.text.trim().slice(0, 60)}" is in the summary.`);
  const summary = parts.seen.has("summary") ? readDocumentSummary(reading, parts.summary) : NO_SUMMARY;
  if (parts.seen.size === ORDER.length) compare(reading, summary, issues);
  if (issues.critical.length + issues.important.length === 0) {
    requireShort(reading, [...parts.header, ...parts.summary]);
    requireSignOff(reading, signOff, undefined);
  }
  if (parts.header.some(({ probe }) => ISSUE_FIELD.test(probe) || ISSUE_HEAD.test(probe)))
    reading.broke("An issue comes before the section Critical.");
  refuseCut(reading);
  return { issues, summary };
}

const ORDER = [...CLASSES, "summary"] as const;
const NO_SUMMARY: DocumentSummary = { total: 0, critical: 0, important: 0, minor: 0, recommendation: "" };

type Parts = Record<Class | "summary" | "header", AnswerLine[]> & {
  /** What the headings count, where they do. */
  announced: Partial<Record<Class, number>>;
  seen: Set<string>;
};

/** The four sections in their order. What another section holds is in no list, so the report is not whole without it. */
function cut(reading: AnswerReading, lines: AnswerLine[]): Parts {
  const parts: Parts = {
    header: [],
    critical: [],
    important: [],
    minor: [],
    summary: [],
    announced: {},
    seen: new Set(),
  };
  const { seen } = parts;
  const extras: { title: string; lines: AnswerLine[] }[] = [];
  let current = parts.header;
  let level = 2;
  for (const line of lines) {
    const heading = headingOf(line);
    if (current !== parts.summary && line.kind === "text" && COUNT.test(line.text)) {
      reading.problem(`The count "${line.text.trim().slice(0, 60)}" is outside the summary.`);
    }
    const name = ORDER.find(
      (each) => heading !== undefined && heading.level < 7 && sectionPattern(each).test(heading.title),
    );
    if (name !== undefined && heading !== undefined) {
      if (seen.has(name)) reading.broke(`The document has the section "${heading.title}" twice.`);
      else if (ORDER[seen.size] !== name)
        reading.broke(`The section "${name}" comes where "${ORDER[seen.size]}" was expected.`);
      seen.add(name);
      const counted = /(?:\(|[-–—:]\s*)(\d+)\)?(?:\s+\w+\))?$/.exec(heading.title)?.[1];
      if (counted !== undefined && name !== "summary") parts.announced[name] = Number(counted);
      current = parts[name];
      level = heading.level;
    } else if (heading !== undefined && heading.level <= level && !(current === parts.header && isTitle(heading))) {
      reading.problem(`The section "${heading.title}" is not part of the form.`);
      current = [];
      extras.push({ title: heading.title, lines: current });
    } else {
      current.push(line);
    }
  }
  for (const extra of extras) {
    const entry = extra.lines.find(({ probe }) => ISSUE_HEAD.test(probe) || ISSUE_FIELD.test(probe));
    if (entry !== undefined) reading.broke(`The issue "${entry.text.trim().slice(0, 60)}" is under "${extra.title}".`);
  }
  for (const name of ORDER.filter((each) => !seen.has(each))) reading.problem(`The document has no section "${name}".`);
  return parts;
}

/** The document's own title, at whatever level. */
function isTitle({ level, title }: { level: number; title: string }): boolean {
  return level === 1 || /\breview findings\b.*\bround\s*#?\s*\d+/i.test(title);
}

const COUNT = /^\s*[-*+]\s+\*\*(?:Total findings|Critical|Important|Minor):\*\*/i;

function sectionPattern(name: string): RegExp {
  const noun = name === "summary" ? "" : "(?:\\s+(?:issues?|findings?|problems?))?";
  return new RegExp(`^${name}${noun}\\s*(?:\\([^)]*\\)\\s*){0,2}(?:[-–—:]\\s*(?:\\d+|none))?$`, "i");
}

// A summary that counts more than the list means that findings got lost; one that counts less only shows a slip.
function compare({ note, problem }: AnswerReading, summary: DocumentSummary, issues: ReadDocument["issues"]): void {
  const listed = { ...countsOf(issues), total: Object.values(issues).flat().length };
  for (const name of [...CLASSES, "total"] as const) {
    const counts = `The summary counts ${summary[name]} for ${name}, but the document lists ${listed[name]}`;
    if (summary[name] > listed[name]) problem(`${counts}.`);
    if (summary[name] < listed[name]) note(`${counts}; the list counts.`);
  }
}

function countsOf(issues: ReadDocument["issues"]): Record<Class, number> {
  return { critical: issues.critical.length, important: issues.important.length, minor: issues.minor.length };
}

function toReport(document: ReadDocument): ReadReport {
  const { issues, summary } = document;
  const { critical, important, minor } = countsOf(issues);
  const counted = `${critical} critical, ${important} important and ${minor} minor findings.`;
  return {
    status: "complete",
    claim: null,
    findings: [
      ...issues.critical.map((entry) => toFinding(entry, "Critical")),
      ...issues.important.map((entry) => toFinding(entry, "Important")),
      ...issues.minor.map((entry) => toFinding(entry, "Minor")),
    ],
    summary: summary.recommendation === "" ? counted : summary.recommendation,
    ...(summary.recommendation === "" ? {} : { recommendation: summary.recommendation }),
    rulings: [],
  };
}

function toFinding(entry: DocumentEntry, severity: string): Finding {
  const { category, title, problem, impact, fix, file, line, endLine } = entry;
  const also = (entry.also ?? []).map(
    (each) => `Also in ${each.file}${each.line === undefined ? "" : `:${each.line}`}.`,
  );
  return {
    category: categoryOf(category),
    severity: readSeverity(SEED, severity) ?? unreadable(`The class "${severity}" is unknown.`),
    title,
    description: [problem, ...also].filter((part) => part !== "").join("\n"),
    ...(impact === undefined ? {} : { impact }),
    ...(fix === undefined ? {} : { suggestion: fix }),
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(endLine === undefined ? {} : { endLine }),
    native: { seed: SEED, severity, ...(category === undefined ? {} : { category }) },
  };
}

/** The seed's categories are free text, so the reading is by what the words are about. */
const ABOUT: [Category, RegExp][] = [
  ["security", /secur|auth|injection|xss|secret|vulnerab/i],
  ["testing", /test|coverage/i],
  ["performance", /perf|memory|latency|n\+1/i],
  ["architecture", /architect|adr|design|structure|coupling/i],
  ["documentation", /doc|comment/i],
  ["style", /style|naming|format|lint|readab|convention/i],
  ["compliance", /complian|acceptance|requirement|incomplete|missing|spec\b/i],
];

function categoryOf(text: string | undefined): Category {
  if (text === undefined) return "logic";
  const exact = readCategory(SEED, text) ?? CATEGORIES.find((name) => name === text.toLowerCase());
  return exact ?? ABOUT.find(([, pattern]) => pattern.test(text))?.[0] ?? "logic";
}
