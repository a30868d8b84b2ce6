import { unreadable } from "../answer/answer.ts";
import { folded } from "../prose/folded.ts";
import { type AnswerLine, headingOf } from "../prose/markdown.ts";

export type ReviewDecision = "APPROVED" | "REJECTED";

/** The one decision of the answer, which has to stand before line `issuesAt`. */
export function readDecision(lines: AnswerLine[], issuesAt: number): ReviewDecision {
  const found = lines.flatMap((line, at) => {
    const word = decisionOn(line);
    return word === undefined ? [] : [{ word, at }];
  });
  const unclear = found.find(({ word, at }) => word === "unclear" && at < issuesAt);
  if (unclear !== undefined) {
    unreadable(
      `The line "${shown(lines[unclear.at])}" looks like a decision but is neither [APPROVED] nor [REJECTED] alone.`,
    );
  }
  const decisions = found.filter(({ word }) => word !== "unclear");
  const [only] = decisions;
  if (only === undefined) return unreadable('The answer has no line with the decision "[APPROVED]" or "[REJECTED]".');
  if (decisions.length > 1) return unreadable(`The answer has ${decisions.length} decisions where one was expected.`);
  if (only.at > issuesAt) return unreadable('The decision comes after "### Issues Found" but must come before it.');
  if (isReported(lines, only.at))
    return unreadable(`The decision "${shown(lines[only.at])}" is in quoted text, or is announced as another's words.`);
  return only.word === "REJECTED" ? "REJECTED" : "APPROVED";
}

export function isDecision(line: AnswerLine): boolean {
  return decisionOn(line) !== undefined;
}

/** Whether an approving answer says elsewhere, in its own voice, that it rejects. */
export function takesApprovalBack(lines: AnswerLine[]): boolean {
  return lines.some((line) => line.kind === "text" && /\[REJECTED\]|\bREJECTED\b/.test(folded(line.plain)));
}

/** Whether the line goes on with a quotation, as Markdown has it without a blank line between, or is announced as another's words. */
function isReported(lines: AnswerLine[], at: number): boolean {
  let above = at - 1;
  while (above >= 0 && isParagraph(lines[above])) above--;
  const quote = lines[above];
  const isHeading = /^\s*#/.test(lines[at]?.text ?? "");
  if (!isHeading && quote?.kind === "quote" && /^\s*>.*[^\s>]/.test(quote.text)) return true;
  const before = lines.slice(0, at).findLast((line) => line.text.trim() !== "");
  return before?.kind === "text" && ANNOUNCES_ANOTHER.test(before.plain);
}

function isParagraph(line: AnswerLine | undefined): boolean {
  return line?.kind === "text" && line.text.trim() !== "" && !/^\s*(?:#|[-*_](?:\s*[-*_]){2,}\s*$)/.test(line.text);
}

const ANNOUNCES_ANOTHER =
  /\b(?:if|once|unless|provided|assuming|print|output|reads|says|contains?|injected|quoted|asked to|told to|instruct\w*|example)\b.*:\s*$/i;

const PREFIX = /^(?:(?:final|review|approval|overall|my)\s+)*(?:decision|verdict|status|result)\s*[:\-–—]\s*/i;

// A line indented at all may be the context line of a diff, so only column 0 can hold a decision; a rejection there casts doubt.
function decisionOn(line: AnswerLine): ReviewDecision | "unclear" | undefined {
  if (line.kind !== "text") return undefined;
  if (line.indent > 0) return /^\[?REJECTED\]?$/.test(bareDecision(line.plain)) ? "unclear" : undefined;
  const text = bareDecision(headingOf(line)?.title ?? line.plain);
  const prefixed = PREFIX.test(text);
  const rest = bareDecision(text.replace(PREFIX, ""));
  const exact = /^(?:\[(APPROVED|REJECTED)\]|(APPROVED|REJECTED))$/.exec(rest);
  if (exact !== null) return (exact[1] ?? exact[2]) === "APPROVED" ? "APPROVED" : "REJECTED";
  // "[REJECTED] - because …" can only be a rejection, while "[APPROVED] once …" may be no approval at all.
  if (/^\[REJECTED\]\s*[-–—:]/.test(rest)) return "REJECTED";
  if (prefixed) return "unclear";
  const plain = folded(rest);
  if (/^\[?(?:APPROVED|REJECTED)\]?(?![A-Z])/.test(plain)) return "unclear";
  return /^\[?(?:approved|rejected)\]?[.!]?$/i.test(plain) ? "unclear" : undefined;
}

function bareDecision(text: string): string {
  return text
    .replace(/\*\*|__/g, "")
    .trim()
    .replace(/^(?:\p{Extended_Pictographic}|\uFE0F|\s)+/u, "")
    .replace(/^\*(.*)\*$/, "$1")
    .replace(/\s*(?:✅|✔|☑|🎉|👍)\uFE0F?$/u, "")
    .trim();
}

function shown(line: AnswerLine | undefined): string {
  return (line?.text ?? "").slice(0, 60);
}
