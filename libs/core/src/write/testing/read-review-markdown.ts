import type { CodeReviewCategory, CodeReviewFinding, CodeReviewIteration, CodeReviewStatus } from "@anneal/types";
import { type DocumentLine, markFences, unescapeBlock } from "../../text/markdown.ts";
import { locationText, readPathText } from "../../text/text.ts";
import {
  CATEGORY_LABELS,
  COMPLIANT,
  HELD_BACK,
  NO_FINDINGS,
  NOT_COMPLIANT,
  STATUS_LABELS,
} from "../review-markdown.ts";

/** What a review file says of its iteration; the commit, the diff and the provider are only in feature.json. */
export type ReviewMarkdownIteration = Pick<
  CodeReviewIteration,
  | "iterationNumber"
  | "reviewedAt"
  | "reviewedByModel"
  | "status"
  | "findings"
  | "overallSummary"
  | "compliance"
  | "actionRequired"
>;

export interface ReviewMarkdown {
  title: string;
  iteration: ReviewMarkdownIteration;
  maxIterations: number;
}

class Malformed extends Error {}

/** Reads a review file of seed 000 §2.4, as `reviewMarkdown` writes it. */
export function readReviewMarkdown(text: string): ReviewMarkdown | { error: string } {
  try {
    return read(markFences(text.replace(/\r\n?/gu, "\n").split("\n")));
  } catch (error) {
    if (error instanceof Malformed) return { error: error.message };
    throw error;
  }
}

function read(lines: readonly DocumentLine[]): ReviewMarkdown {
  const [head = [], ...sections] = splitBefore(lines, /^## /u);
  const header = readHeader(head);
  const named = new Map<string, DocumentLine[]>();
  for (const [heading, ...body] of sections) {
    const name = (heading?.text ?? "").slice(3).trim();
    if (!SECTIONS.includes(name)) fail(`unknown section "${name}"`);
    if (named.has(name)) fail(`section "${name}" stands there twice`);
    named.set(name, body);
  }
  const compliance = named.get("Compliance Review");
  const action = named.get("Action Required");
  return {
    title: header.title,
    maxIterations: header.maxIterations,
    iteration: {
      iterationNumber: header.iterationNumber,
      reviewedAt: header.reviewedAt,
      reviewedByModel: header.model,
      status: header.status,
      findings: readFindings(named.get("Findings") ?? fail("no Findings section")),
      overallSummary: proseOf(named.get("Overall Summary") ?? fail("no Overall Summary section")),
      ...(compliance !== undefined && { compliance: readCompliance(compliance) }),
      ...(action !== undefined && { actionRequired: proseOf(action) }),
    },
  };
}

const SECTIONS = ["Overall Summary", "Compliance Review", "Findings", "Action Required"];

function readHeader(lines: readonly DocumentLine[]) {
  const texts = lines.map((line) => line.text).filter((text) => text.trim() !== "");
  if (texts.length !== 5) fail("the head does not have its five lines");
  const [title = "", count = "", status = "", date = "", model = ""] = texts;
  const [, iteration, of] = match(count, /^\*\*Iteration (\d+) of (\d+)\*\*$/u, "iteration");
  const [, day, time] = match(date, /^\*\*Reviewed At\*\*: (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC$/u, "date");
  return {
    title: match(title, /^# Code Review - Feature:(?: (.*))?$/u, "title")[1] ?? "",
    iterationNumber: Number(iteration),
    maxIterations: Number(of),
    status: statusOf(match(status, /^\*\*Status\*\*: (.*)$/u, "status")[1] ?? ""),
    reviewedAt: `${day}T${time}Z`,
    model: match(model, /^\*\*Reviewed By Model\*\*:(?: (.*))?$/u, "model")[1] ?? "",
  };
}

function readCompliance(lines: readonly DocumentLine[]): { met: string[]; unmet: string[] } {
  const compliance: { met: string[]; unmet: string[] } = { met: [], unmet: [] };
  let list: string[] | undefined;
  for (const { text } of lines) {
    if (text.trim() === "") continue;
    if (text === COMPLIANT) list = compliance.met;
    else if (text === NOT_COMPLIANT) list = compliance.unmet;
    else if (text.startsWith("- ") && list !== undefined) list.push(text.slice(2));
    else fail(`"${text.slice(0, 60)}" does not belong in the compliance review`);
  }
  return compliance;
}

function readFindings(lines: readonly DocumentLine[]): CodeReviewFinding[] {
  const [before = [], ...items] = splitBefore(lines, /^### /u);
  const note = proseOf(before);
  if (note !== "" && (note !== NO_FINDINGS || items.length > 0)) fail("there is text before the first finding");
  if (note === "" && items.length === 0) fail("the Findings section is empty");
  return items.map(readFinding);
}

function readFinding([heading, ...rest]: DocumentLine[]): CodeReviewFinding {
  const [, severity = "", label = "", shown = ""] = match(
    heading?.text ?? "",
    /^### \[(ERROR|WARNING|INFO)\] ([A-Z][A-Za-z ]*):(?: (.*))?$/u,
    "finding heading",
  );
  const end = rest.findIndex((line) => !line.fenced && line.text === "---");
  if (end < 0) fail(`the finding "${shown}" is not closed`);
  if (proseOf(rest.slice(end + 1)) !== "") fail(`there is text after the finding "${shown}"`);
  const [top = [], ...parts] = splitBefore(rest.slice(0, end), /^\*\*(?:Current Code|Suggestion)\*\*:/u);
  const place = readPlace(top);
  const code = parts.find((part) => part[0]?.text.startsWith("**Current Code**:"));
  const suggestion = parts.find((part) => part[0]?.text.startsWith("**Suggestion**:"));
  if (parts.length !== Number(code !== undefined) + Number(suggestion !== undefined)) {
    fail(`the finding "${shown}" has a part twice`);
  }
  return {
    category: categoryOf(label),
    severity: severityOf(severity),
    title: titleOf(shown, place.at),
    description: proseOf(top.slice(place.lines)),
    ...place.at,
    ...(code !== undefined && { currentCode: partText(code) }),
    ...(suggestion !== undefined && { suggestion: partText(suggestion) }),
  };
}

function readPlace(lines: readonly DocumentLine[]): { at: { file?: string; line?: number }; lines: number } {
  const at: { file?: string; line?: number } = {};
  let count = 0;
  const file = /^\*\*File\*\*: (.+)$/u.exec(lines[count]?.text ?? "")?.[1];
  if (file !== undefined) {
    at.file = readPathText(file) ?? fail(`the path ${file} cannot be read`);
    count += 1;
  }
  const line = /^\*\*Line\*\*: (\d+)$/u.exec(lines[count]?.text ?? "")?.[1];
  if (line !== undefined) {
    at.line = Number(line);
    count += 1;
  }
  return { at, lines: count };
}

/** The title without the location that the heading repeats. */
function titleOf(shown: string, at: { file?: string; line?: number }): string {
  const place = locationText(at);
  if (place === "") return shown;
  if (!shown.endsWith(`(${place})`)) fail(`the heading "${shown}" does not name the finding's place`);
  return shown.slice(0, -`(${place})`.length).trimEnd();
}

/** The text after a label: on its line, or as the one code fence below it. */
function partText([label, ...rest]: DocumentLine[]): string {
  const inline = (label?.text ?? "").replace(/^\*\*[A-Za-z ]+\*\*: ?/u, "");
  const below = rest.filter((line) => line.fenced || line.text.trim() !== "");
  if (inline !== "" && below.length === 0) return inline;
  const code = below.slice(1, -1);
  if (inline !== "" || below.length < 2 || !below.every((line) => line.fenced))
    fail(`"${label?.text}" has no code fence`);
  return code.map((line) => line.text).join("\n");
}

function proseOf(lines: readonly DocumentLine[]): string {
  return unescapeBlock(lines).trim();
}

function statusOf(label: string): CodeReviewStatus {
  if (label === STATUS_LABELS.approved) return "approved";
  if (label === STATUS_LABELS.rejected || label.startsWith(HELD_BACK)) return "rejected";
  return label === STATUS_LABELS.failed ? "failed" : fail(`unknown status "${label}"`);
}

function severityOf(word: string): CodeReviewFinding["severity"] {
  if (word === "ERROR") return "error";
  return word === "WARNING" ? "warning" : "info";
}

const CATEGORIES: readonly CodeReviewCategory[] = ["compliance", "code", "test", "architecture", "performance"];

function categoryOf(label: string): CodeReviewCategory {
  return CATEGORIES.find((category) => CATEGORY_LABELS[category] === label) ?? fail(`unknown category "${label}"`);
}

/** Cuts before every line outside of code that starts a part; what stands before the first is the first piece. */
function splitBefore(lines: readonly DocumentLine[], start: RegExp): DocumentLine[][] {
  const parts: DocumentLine[][] = [[]];
  for (const line of lines) {
    if (!line.fenced && start.test(line.text)) parts.push([]);
    parts.at(-1)?.push(line);
  }
  return parts;
}

function match(text: string, pattern: RegExp, what: string): RegExpExecArray {
  return pattern.exec(text) ?? fail(`the ${what} cannot be read: "${text.slice(0, 80)}"`);
}

function fail(reason: string): never {
  throw new Malformed(reason);
}
