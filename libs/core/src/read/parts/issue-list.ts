import type { Category, Finding } from "@anneal/types";
import { CATEGORIES, SEVERITIES } from "@anneal/types/scales";
import { readCategory, readSeverity, SEVERITY_WORDS } from "../../findings/severity-and-category.ts";
import type { AnswerReading } from "../answer/answer.ts";
import { nearMiss } from "../answer/near-miss.ts";
import { namesLocation } from "../prose/location.ts";
import { type AnswerLine, headingOf, withoutEmphasis } from "../prose/markdown.ts";
import { saysNone } from "../prose/none.ts";
import { readLines, readLocations } from "./code-location.ts";

const SEED = "gate";

/** Other names that models give to the seed's categories. */
const ALIASES: Record<string, string> = {
  "feature compliance": "compliance",
  "code quality": "code",
  tests: "test",
  testing: "test",
  "test coverage": "test",
  "architecture & design": "architecture",
};

type Label = "description" | "file" | "line" | "suggestion" | "severity";
const LABELS: Record<string, Label> = {
  description: "description",
  file: "file",
  files: "file",
  line: "line",
  lines: "line",
  suggestion: "suggestion",
  severity: "severity",
};

interface Draft {
  category: Finding["category"];
  severity: Finding["severity"];
  native: NonNullable<Finding["native"]>;
  title: string;
  parts: Record<Label, string[]>;
}

/** The list under "### Issues Found". Whatever cannot be understood is a problem: it could be the error that decides. */
export function readIssueList(reading: AnswerReading, lines: AnswerLine[]): Finding[] {
  const { note, problem } = reading;
  const drafts: Draft[] = [];
  let into: Label = "description";
  let noneSaid = false;
  const unread: AnswerLine[] = [];
  let open: AnswerLine | undefined;
  for (const line of lines) {
    const draft = drafts.at(-1);
    if (line.kind !== "text") {
      if (looksLikeIssue(line) || holdsLabel(line)) problem(`"${excerpt(line)}" is in quoted text, not in the list.`);
      if (draft !== undefined) draft.parts[into].push(line.text);
      else if (line.text.trim() !== "") unread.push(line);
      continue;
    }
    if (line.text.trim() === "" || /^\s*([-*_])(?:\s*\1){2,}\s*$/.test(line.text)) {
      draft?.parts[into].push("");
      continue;
    }
    const head = readHead(reading, line);
    if (head !== undefined) {
      if (holdsLabel(line) || ISSUE_INSIDE.test(head.title)) {
        problem(`"${excerpt(line)}" has more than one thing on one line.`);
      }
      drafts.push(head);
      open = undefined;
      into = "description";
      continue;
    }
    const label = labelOn(reading, line);
    if (label !== undefined && draft !== undefined) {
      const again = draft.parts[label.name].some((part) => part.trim() !== "");
      if (again && label.name !== "file") problem(`The issue "${draft.title}" has "${label.name}" twice.`);
      if (LABEL_INSIDE.test(label.value) || ISSUE_INSIDE.test(label.value)) {
        problem(`"${excerpt(line)}" has more than one thing on one line.`);
      }
      into = label.name;
      draft.parts[into] = again ? [...draft.parts[into], label.value] : [label.value];
    } else if (isNone(line) && !hasIssueWords(line)) {
      noneSaid = true;
      open = undefined;
    } else if (hasIssueWords(line) || holdsLabel(line) || (isItem(line) && (draft === undefined || line.indent < 2))) {
      problem(`The issue "${excerpt(line)}" is not of the form "**[CATEGORY]** - severity: title".`);
      const formless = formlessDraft(line);
      if (formless !== undefined) drafts.push(formless);
      into = "description";
    } else if (headingOf(line) !== undefined) {
      // A heading that neither an issue nor "None" follows may be the title of an issue itself.
      if (open !== undefined && draft === undefined && !isDeeper(line, open)) unread.push(open);
      open = line;
    } else {
      if (draft !== undefined) draft.parts[into].push(line.text.trim());
      else unread.push(line);
    }
  }
  if (open !== undefined && drafts.length === 0) unread.push(open);
  if (drafts.length === 0 && !noneSaid) problem('"### Issues Found" has neither an issue nor the word "None".');
  refuseUnreadLines(reading, unread, drafts.length, noneSaid);
  if (drafts.length > 0 && noneSaid) note("The list says that there are no issues, but it has some; they count.");
  return drafts.map((draft) => finish(reading, draft));
}

function isDeeper(line: AnswerLine, than: AnswerLine): boolean {
  return (headingOf(line)?.level ?? 0) > (headingOf(than)?.level ?? 0);
}

// A list may be introduced in a sentence; a section that says none says nothing else.
function refuseUnreadLines({ problem }: AnswerReading, unread: AnswerLine[], issues: number, noneSaid: boolean): void {
  const [first] = unread;
  const odd =
    issues === 0 || noneSaid || unread.some((line) => namesLocation(line.text)) ? first?.text.trim() : undefined;
  if (odd !== undefined) problem(`"${odd.slice(0, 60)}" under "### Issues Found" belongs to no issue.`);
}

/** Whether a line is the head of an issue or says where one is, wherever it stands. */
export function looksLikeIssue(line: AnswerLine): boolean {
  if (/^[\s>]*[-*+]\s+\**(?:File|Lines?)\**:/.test(line.probe)) return true;
  const text = withoutEmphasis(line.probe.replace(/^[\s>+-]*/, ""));
  return /^(?:[-*+•]\s*|\d+[.)]\s*)*\[[A-Za-z &]+\]\s*[-–—:]*\s*\(?(?:error|warning|info)\b/i.test(text);
}

const ISSUE_INSIDE = /\[[A-Z][A-Z &]+\][*_]*\s*[-–—:]+\s*[*_(]*(?:error|warning|info)\b/i;
const LABEL_INSIDE = /[-*+]\s+\**(?:Description|File|Lines?|Suggestion)\**:/;

function holdsLabel(line: AnswerLine): boolean {
  return LABEL_INSIDE.test(line.probe);
}

function readHead({ problem }: AnswerReading, line: AnswerLine): Draft | undefined {
  const text = withoutEmphasis(line.text.replace(/^\s*#{1,6}\s+/, ""));
  const bracketed = /^(?:[-*+•]\s*|\d+[.)]\s*)*\[([^\]]+)\]\s*(?:[-–—:]\s*)?\(?([A-Za-z]+)\)?\s*[:\-–—]\s*(.+)$/.exec(
    text,
  );
  const open = /^(?:[-*+•]|\d+[.)])\s+([A-Z][A-Z &]+)\s*[-–—:]\s*\(?([A-Za-z]+)\)?\s*:\s*(.+)$/.exec(text);
  const found = bracketed ?? open;
  if (found === null) return undefined;
  const [, categoryText = "", severityText = "", title = ""] = found;
  const severity = severityText.toLowerCase();
  const isKnown = readSeverity(SEED, severity) !== undefined;
  if (!isKnown) problem(`The issue "${excerpt(line)}" has no severity of error, warning or info.`);
  const word = categoryText.trim().toLowerCase();
  const nativeWord = ALIASES[word] ?? word;
  const native = readCategory(SEED, nativeWord);
  // A word such as SECURITY is on our scale but not on the seed's, so there is no native word to keep.
  const category = native ?? CATEGORIES.find((name) => name === word);
  if (category === undefined) problem(`The issue "${excerpt(line)}" has the unknown category "${categoryText}".`);
  return newDraft(
    isKnown ? severity : "warning",
    category,
    title.trim(),
    native === undefined ? undefined : nativeWord,
  );
}

/** An item that is no entry of the list by its form. Where the answer fails anyway, the fixer gets it as it was written. */
function formlessDraft(line: AnswerLine): Draft | undefined {
  const title = withoutEmphasis(line.text.replace(/^\s*(?:[-*+•]|\d+[.)])\s+/, ""));
  return isItem(line) && !/^\s*\|/.test(line.text) && title !== ""
    ? newDraft("warning", undefined, title, undefined)
    : undefined;
}

function newDraft(severity: string, category: Category | undefined, title: string, native: string | undefined): Draft {
  return {
    category: category ?? "logic",
    severity: readSeverity(SEED, severity) ?? "medium",
    native: { seed: SEED, severity, ...(native === undefined ? {} : { category: native }) },
    title,
    parts: { description: [], file: [], line: [], suggestion: [], severity: [] },
  };
}

function labelOn({ problem }: AnswerReading, line: AnswerLine): { name: Label; value: string } | undefined {
  const found = /^\s*(?:[-*+•]\s+)?(\*\*|__)?([A-Za-z]+)(?:\*\*|__)?\s*:\s*(?:\*\*|__)?\s*(.*)$/.exec(line.text);
  if (found === null) return undefined;
  const word = (found[2] ?? "").toLowerCase();
  const name = Object.hasOwn(LABELS, word) ? LABELS[word] : undefined;
  if (name !== undefined) return { name, value: found[3] ?? "" };
  const meant = /^\s*[-*+•]/.test(line.text) ? nearMiss(word, Object.keys(LABELS)) : undefined;
  if (meant !== undefined) problem(`"${excerpt(line)}" has "${found[2]}" where "${meant}" was expected.`);
  return undefined;
}

export function isNone(line: AnswerLine): boolean {
  return saysNone(
    line.text,
    /^(?:none|n\/a|none (?:found|identified)|no (?:blocking |open |new )?issues(?: were)?(?: found| identified)?(?: in (?:this|the) (?:change|changes|diff|branch|review|code|pull request))?)$/i,
  );
}

function isItem(line: AnswerLine): boolean {
  return /^\s*(?:[-*+•]\s|\d+[.)]\s|\|)/.test(line.text);
}

function hasIssueWords(line: AnswerLine): boolean {
  return (
    /\[\s*(?:COMPLIANCE|CODE|TEST|ARCHITECTURE|PERFORMANCE|SECURITY)[A-Z &]*\]/.test(line.plain) ||
    (/\b(?:error|warning|info)\b[*_]*\s*:/i.test(line.plain) && line.indent < 2)
  );
}

function finish(reading: AnswerReading, draft: Draft): Finding {
  const value = (label: Label) => draft.parts[label].join("\n").trim();
  const [place, ...others] = readLocations(value("file"), reading);
  if (others.length > 0) reading.note(`"${draft.title}" names ${others.length + 1} files; the first is kept.`);
  const suggestion = value("suggestion");
  refuseOtherSeverity(reading, draft, value("severity"));
  return {
    category: draft.category,
    severity: draft.severity,
    title: draft.title,
    description: value("description"),
    ...(suggestion === "" ? {} : { suggestion }),
    ...place,
    ...readLines(value("line"), reading),
    native: draft.native,
  };
}

function refuseOtherSeverity({ problem }: AnswerReading, { title, native }: Draft, text: string): void {
  if (text === "") return;
  const word = text.toLowerCase().replace(/[^a-z].*$/s, "");
  const canonical = SEVERITIES.find((severity) => severity === word);
  const meant = canonical === undefined || word === "info" ? word : SEVERITY_WORDS[SEED].write[canonical];
  if (meant !== native.severity) {
    problem(`The issue "${title.slice(0, 60)}" is of the severity ${native.severity} and of ${text.slice(0, 20)}.`);
  }
}

function excerpt(line: AnswerLine): string {
  return line.text.trim().slice(0, 60);
}
