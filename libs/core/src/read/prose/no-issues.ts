import type { AnswerReading } from "../answer/answer.ts";
import { folded } from "./folded.ts";
import { namesLocation } from "./location.ts";
import { type AnswerLine, headingOf, withoutEmphasis } from "./markdown.ts";
import { saysNoIssues, sentencesOf } from "./statements.ts";

const MAX_CHARACTERS = 1_000;

/** Whether the answer says that there are no issues, which counts only where it says nothing that could be one. */
export function saysOnlyNoIssues({ problem }: AnswerReading, all: AnswerLine[]): boolean {
  const lines = all.flatMap(sentencesOf);
  const statements = new Set(lines.filter(isStatement));
  if (statements.size === 0) return false;
  const isTitle = (at: number) => {
    const below = lines.slice(at + 1).find(({ text }) => text.trim() !== "");
    return below !== undefined && statements.has(below) && isListTitle(lines[at]);
  };
  const rest = lines.filter((line, at) => !statements.has(line) && line.text.trim() !== "" && !isTitle(at));
  const odd =
    rest.find((line) => line.kind !== "text" || !isPlainProse(line))?.text ??
    rest.find((line) => namesLocation(folded(line.text)) || CONTRAST.test(line.plain))?.text;
  if (odd !== undefined) problem(`The answer says "No issues found", but has "${odd.trim().slice(0, 60)}".`);
  if (rest.reduce((total, line) => total + line.text.length, 0) > MAX_CHARACTERS) {
    problem('The answer says "No issues found", but goes on at length.');
  }
  return true;
}

/** Whether there is a statement that there are no issues, whatever else is said. */
export function statesNoIssues(lines: AnswerLine[]): boolean {
  return lines.flatMap(sentencesOf).some(isStatement);
}

// A sentence that just stops may be the start of "No issues found in the tests, but …", so among others it needs its full stop or one after it.
function isStatement(line: AnswerLine, at: number, all: AnswerLine[]): boolean {
  if (line.kind !== "text" || line.indent > 0) return false;
  const shown = withoutEmphasis(line.plain);
  const justStops = at === all.length - 1 && !/[.!]\W*$/.test(shown);
  if (justStops && all.some((other) => other !== line && other.text.trim() !== "")) return false;
  return (
    saysNoIssues(shown) ||
    (/^none\.?$/i.test(shown) && isListTitle(all.slice(0, at).findLast(({ text }) => text.trim() !== "")))
  );
}

/** The title of the list of all issues. */
function isListTitle(line: AnswerLine | undefined): boolean {
  return /^\W*(?:(?:full )?review comments|issues(?: found)?|findings):?\W*$/i.test(line?.plain ?? "");
}

const CONTRAST =
  /(?:^|[.,;:!?–—-]\s*)(?:but|however|although|though|except|apart from|aside from|other than|that said|wait|actually|on second thought|on reflection|nevertheless|unfortunately|caveat|yet|still)\b/i;
const ABOUT_THE_WHOLE =
  /\b(?:review|result|results|summary|verdict|conclusion|findings|issues|overall|here|scope|notes)\b/i;

/** No list, no table, and no label that would make the statement one of several. */
function isPlainProse(line: AnswerLine): boolean {
  const text = withoutEmphasis(line.text);
  if (/^(?:[-+•*]\s|\d+[.)]\s)|\|/.test(text)) return false;
  const label = headingOf(line)?.title ?? /^([^.:]{1,40}):(?:\s|$)/.exec(text)?.[1];
  return label === undefined || ABOUT_THE_WHOLE.test(label) || /^not (?:looked at|reviewed)/i.test(label);
}
