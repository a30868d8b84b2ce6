import { type AnswerReading, unreadable } from "../answer/answer.ts";
import { type AnswerLine, headingOf } from "./markdown.ts";

const CLOSING = "END OF REVIEW";

/**
 * The lines before the closing line. Because it comes last, an answer that was cut anywhere does not have it. Where an agent
 * that said that it ended left it out, the answer is whole if its last line is (docs/decisions/0002); that all of its
 * parts are there is for their readers to see.
 */
export function beforeClosing(lines: AnswerLine[], reading: AnswerReading): AnswerLine[] {
  const last = lines.findLastIndex((line) => line.text.trim() !== "" && !/^(?:-{3,}|\*{3,}|_{3,})$/.test(line.text));
  const first = lines.findIndex(isClosing);
  if (first >= 0) {
    refuseMore(reading, lines.slice(first + 1, last + 1));
    return lines.slice(0, first);
  }
  if (reading.closing !== "optional") {
    if (reading.closing === "required" || !isWhole(lines[last])) unreadable(NOT_CLOSED);
    reading.note(`The answer ends without its closing line "${CLOSING}"; nothing else of it is missing.`);
  }
  return lines;
}

const NOT_CLOSED = `The answer does not end with the line "${CLOSING}".`;

/**
 * Of an answer whose last section counts all that it lists: where an agent that said that it ended left the closing line out,
 * and nothing else is wrong, nothing of the list is missing. Otherwise what is missing may have been cut off.
 */
export function refuseCut(reading: AnswerReading): void {
  if (!reading.problems.includes(NOT_CLOSED)) return;
  if (reading.closing === "required" || reading.problems.length > 1) reading.broken = true;
}

/** A courtesy may stand below the closing line, and a rejection stays one with any words below it; another answer may not. */
function refuseMore(reading: AnswerReading, rest: readonly AnswerLine[]): void {
  const more = rest.filter(({ text }) => text.trim() !== "");
  const goesOn = `The answer goes on after its closing line "${CLOSING}".`;
  if (more.length > 3 || more.some((line) => line.kind !== "text" || !/^\s{0,3}[\p{L}\p{N}"'(]/u.test(line.text)))
    reading.broke(goesOn);
  else if (!more.every(({ text }) => COURTESY.test(text.trim()))) reading.problem(goesOn);
}

const COURTESY =
  /^(?:(?:please )?let me know if|feel free to|i hope this|(?:i am|i'm) happy to|happy to|thank(?:s| you)|if you (?:want|like|wish|would like|have any questions|need))\b[^.!?]{0,120}[.!]?$/i;

/** The last line of a sign-off, or a line of prose that ends a sentence; half a closing line does not. */
function isWhole(line: AnswerLine | undefined): boolean {
  if (line?.kind !== "text" || headingOf(line) !== undefined || GOES_ON.test(line.text)) return false;
  return SIGNED.test(line.text) || /\p{L}.*[.!?][)"'*_`]*$/u.test(line.text.trim());
}

const SIGNED = /^\s*[-*+]\s+\W*decision\W+(?:approved|rejected)\W*$/i;

/** What announces more than there is. */
const GOES_ON =
  /\b(?:let me|i(?:'ll| will| now| am going to)|next,|now (?:the|for)|the following|one exception|second half|to be continued)\b|\.\.\.$|…$/i;

function isClosing(line: AnswerLine): boolean {
  return (
    line.kind === "text" &&
    line.text
      .replace(/^#{1,6}\s|[*`_]/g, "")
      .trim()
      .replace(/\.$/, "") === CLOSING
  );
}
