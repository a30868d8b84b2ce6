import { unreadable } from "../answer/answer.ts";
import { lastClosings, type OpenElement, openAfter, withoutQuotingElements } from "./html-quotes.ts";

export interface CodeFence {
  mark: string;
  language: string;
}

/** A line of a text answer and what it is; only `text` lines can say anything on the reviewer's behalf. */
export interface AnswerLine {
  kind: "text" | "code" | "quote" | "diff";
  /** The line without HTML comments. */
  text: string;
  /** The line with inline code and HTML quotations blanked out, for looking for words that count. */
  plain: string;
  /** The start of the line with white space evened out, for looking at code that must stay as it is. */
  probe: string;
  indent: number;
}

export function linesOf(answer: string): AnswerLine[] {
  const lines: AnswerLine[] = [];
  let fence: CodeFence | undefined;
  let fenceIndent = 0;
  let inComment = false;
  let hunk = 0;
  let element: OpenElement | undefined;
  const raws = answer.split("\n");
  const closings = lastClosings(raws);
  for (const [at, raw] of raws.entries()) {
    if (fence !== undefined) {
      lines.push(line("code", dedent(raw, fenceIndent)));
      if (closesFence(fence, raw)) fence = undefined;
      continue;
    }
    const shown = withoutComments(raw, inComment);
    inComment = shown.inComment;
    if (hunk > 0 && /^[ +\-\\]|^$/.test(raw)) {
      lines.push(line("diff", shown.text));
      hunk--;
      continue;
    }
    const wasQuoted = element !== undefined;
    element = openAfter(withoutInlineCode(shown.text), element, (name) => (closings.get(name) ?? -1) > at);
    if (wasQuoted || element !== undefined) {
      lines.push(line("quote", shown.text));
      continue;
    }
    hunk = hunkLength(shown.text) ?? 0;
    fence = opensFence(shown.text);
    fenceIndent = shown.text.length - shown.text.trimStart().length;
    if (fence !== undefined) lines.push(line("code", dedent(shown.text, fenceIndent)));
    else if (hunk > 0) lines.push(line("diff", shown.text));
    else lines.push(line(/^\s*>/.test(shown.text) ? "quote" : "text", shown.text));
  }
  if (fence !== undefined) unreadable("The answer has a code fence that is never closed.");
  if (element !== undefined) unreadable(`The answer has an HTML element <${element.name}> that is never closed.`);
  if (inComment) unreadable("The answer has an HTML comment that is never closed.");
  return lines;
}

/** The answer without the one fence that some models put around all of it; a fence around a part stays a quotation. */
export function unwrapped(answer: string): string {
  const lines = answer.trim().split("\n");
  const fence = opensFence(lines[0] ?? "");
  if (fence === undefined || !/^(?:markdown|md)$/.test(fence.language) || !/^[`~]/.test(lines[0] ?? "")) return answer;
  const last = endOfOuter(lines, fence);
  const after = lines.slice(last + 1).filter((line) => line.trim() !== "");
  const isAll = last > 0 && (after.length === 0 || (after.length === 1 && after[0] === "END OF REVIEW"));
  return isAll ? [...lines.slice(1, last), "", ...after].join("\n") : answer;
}

/** The first bare fence that closes no inner one, so that text below a fenced quotation is never taken for its inside. */
function endOfOuter(lines: readonly string[], outer: CodeFence): number {
  let inner: CodeFence | undefined;
  return lines.findIndex((line, at) => {
    if (at === 0) return false;
    if (inner !== undefined) {
      if (closesFence(inner, line)) inner = undefined;
      return false;
    }
    if (closesFence(outer, line)) return true;
    inner = opensFence(line);
    return false;
  });
}

/** Code inside a list item keeps its own indentation, without that of the item. */
function dedent(text: string, indent: number): string {
  const own = text.length - text.trimStart().length;
  return text.slice(Math.min(indent, own));
}

const MAX_LINE = 10_000;

// Long runs of blanks mean nothing in prose but make patterns slow, so they are evened out before any pattern sees them.
function line(kind: AnswerLine["kind"], raw: string): AnswerLine {
  const tabs = raw.replaceAll("\t", "    ");
  const even = evened(raw).trimEnd();
  if (kind === "text" && even.length > MAX_LINE)
    unreadable(`The answer has a line of more than ${MAX_LINE} characters.`);
  return {
    kind,
    text: kind === "code" ? raw.trimEnd() : even,
    plain: withoutQuotingElements(withoutInlineCode(even)),
    probe: even.slice(0, MAX_LINE),
    indent: tabs.length - tabs.trimStart().length,
  };
}

function evened(text: string): string {
  return text.replace(/\s{8,}/g, (run, at) => (at === 0 ? run.slice(0, 8) : " "));
}

export function opensFence(text: string): CodeFence | undefined {
  const found = /^\s*(?:(?:[-*+]|\d+[.)])\s+)?(`{3,}|~{3,})([^`]*)$/.exec(text);
  if (found?.[1] === undefined) return undefined;
  return { mark: found[1], language: (found[2] ?? "").trim().split(/\s/)[0]?.toLowerCase() ?? "" };
}

export function closesFence(fence: CodeFence, text: string): boolean {
  const found = /^\s*(`{3,}|~{3,})\s*$/.exec(text)?.[1];
  return found !== undefined && found[0] === fence.mark[0] && found.length >= fence.mark.length;
}

/** How many lines the diff hunk that this header announces can have at most. */
export function hunkLength(text: string): number | undefined {
  const found = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(text);
  return found === null ? undefined : Number(found[1] ?? 1) + Number(found[2] ?? 1);
}

// A comment becomes a space, so that removing one can never join two halves into a word.
function withoutComments(raw: string, startsInComment: boolean): { text: string; inComment: boolean } {
  if (!startsInComment && !raw.includes("<!--")) return { text: raw, inComment: false };
  const code = inlineCode(raw);
  let text = "";
  let inComment = startsInComment;
  let at = 0;
  while (at < raw.length) {
    if (inComment) {
      const end = raw.indexOf("-->", at);
      if (end < 0) return { text, inComment };
      inComment = false;
      text += " ";
      at = end + 3;
      continue;
    }
    const start = raw.indexOf("<!--", at);
    if (start < 0) return { text: text + raw.slice(at), inComment };
    const span = code.find(([from, to]) => from < start && start < to && from >= at);
    inComment = span === undefined;
    text += raw.slice(at, span?.[1] ?? start);
    at = span?.[1] ?? start + 4;
  }
  return { text, inComment };
}

function withoutInlineCode(text: string): string {
  let plain = "";
  let at = 0;
  for (const [from, to] of inlineCode(text)) {
    plain += text.slice(at, from) + " ".repeat(to - from);
    at = to;
  }
  return plain + text.slice(at);
}

/** Start and end of each code span: a run of backticks up to the next run of the same length. */
function inlineCode(text: string): [number, number][] {
  const runs = [...text.matchAll(/`+/g)].map((run) => ({ from: run.index, to: run.index + run[0].length }));
  const later = new Map<number, number>();
  const partners: (number | undefined)[] = [];
  for (let index = runs.length - 1; index >= 0; index--) {
    const run = runs[index];
    if (run === undefined) continue;
    partners[index] = later.get(run.to - run.from);
    later.set(run.to - run.from, index);
  }
  const spans: [number, number][] = [];
  for (let index = 0; index < runs.length; index++) {
    const end = runs[partners[index] ?? -1];
    const start = runs[index];
    if (start === undefined || end === undefined) continue;
    spans.push([start.from, end.to]);
    index = partners[index] ?? index;
  }
  return spans;
}

/** The text of a heading, of either kind that models write: `### Name` or a line that is nothing but bold. */
export function headingOf(line: AnswerLine): { level: number; title: string } | undefined {
  if (line.kind !== "text" || line.indent > 3) return undefined;
  const marked = /^\s*(#{1,6})\s+(.+?)\s*#*\s*$/.exec(line.text);
  if (marked?.[1] !== undefined) return { level: marked[1].length, title: bare(marked[2] ?? "") };
  const bold = /^\s*(?:\*\*|__)([^*_]+)(?:\*\*|__):?\s*$/.exec(line.text);
  return bold === null ? undefined : { level: 7, title: bare(bold[1] ?? "") };
}

/** Without emphasis, leading pictures and a closing colon. */
export function bare(text: string): string {
  return text
    .replace(/\*\*|__/g, "")
    .replace(/^(?:\p{Extended_Pictographic}|\uFE0F|\s)+/u, "")
    .replace(/:$/, "")
    .trimEnd();
}

export function withoutEmphasis(text: string): string {
  return text.replace(/\*\*|__/g, "").trim();
}
