import { folded } from "./folded.ts";
import type { AnswerLine } from "./markdown.ts";

/** A piece of prose in which one negation holds: lower case, without code and quotations. */
export type Clause = string;

const MAX_CHARACTERS = 2_000;

/** The clauses of what the reviewer says in its own voice: code, quotes and diffs are not its voice. */
export function clausesOf(lines: readonly AnswerLine[]): Clause[] {
  return paragraphs(lines.map((line) => (line.kind === "text" ? line.plain : ""))).flatMap(clausesIn);
}

/** Whether a clause says what the pattern means, neither denied nor reported as dealt with. */
export function asserts(clause: Clause, pattern: RegExp): boolean {
  if (!pattern.test(clause) || isDealtWith(clause)) return false;
  return [...clause.matchAll(new RegExp(pattern, "g"))].some(({ index }) => {
    const before = clause.slice(0, index);
    return !NEGATION.test(before) && !AVERTS.test(before);
  });
}

const NEGATION =
  /(?:^|[^\w-])(?:no|not|none|nothing|never|nowhere|without|neither|nor|zero|0|cannot|free (?:of|from)|\w+n't)(?=[^\w-]|$)/;
const DEALT_WITH = /\b(?:fixed|resolved|closed|addressed|prevented|mitigated|eliminated|gone|no longer)\b/;
const NOT_YET =
  /\b(?:once|until|unless|after|when|before|if|must|should|needs?|has to|have to|to be|not|never)\b(?! longer)|n't\b/;

function isDealtWith(clause: Clause): boolean {
  return DEALT_WITH.test(clause) && !NOT_YET.test(clause.replace("no longer", ""));
}

// "It fixes a serious bug" praises, while "it fixes a typo and has a serious bug" does not.
const AVERTS =
  /\b(?:fix(?:es|ing)|resolv(?:es|ing)|clos(?:es|ing)|prevent(?:s|ing)?|avoid(?:s|ing)?|against|remov(?:es|ing)|eliminat(?:es|ing)|handl(?:es|ing))(?:\s(?!(?:and|but|with)\s(?:has|have|a|an|one|two|the|it|there)\b|has\b|have\b|leaves?\b|introduc|adds?\b|contain|is\b|are\b|merg)\S+){0,5}\s*$/;

const SENTENCE_END = /[.!?;](?=\s|$)|\s[-–—]+\s|—/;
// A contrast ends the reach of a negation: "no issues, except for the injection" does name one.
const CONTRAST =
  /(?<!\b(?:everything|all|files) )\b(?=(?:but|however|yet|though|although|except|apart from|aside from|other than|besides|nevertheless|whereas)(?:\W|$)|and (?:there|has|have|one|two|three|\d+|an?) )/;

function clausesIn(paragraph: string): Clause[] {
  return folded(paragraph)
    .replace(/\s+/g, " ")
    .replace(/[‘’]/g, "'")
    .replace(/"[^"]{0,300}"|“[^”]{0,300}”/g, " ")
    .replace(/\*|(?<![^\W_])_|_(?![^\W_])/g, "")
    .toLowerCase()
    .split(SENTENCE_END)
    .flatMap((sentence) => sentence.split(CONTRAST))
    .map((clause) => clause.trim().slice(0, MAX_CHARACTERS))
    .filter((clause) => clause !== "");
}

/** A line that wraps goes on; list items, headings and table rows stand for themselves. */
function paragraphs(lines: readonly string[]): string[] {
  const found: string[][] = [];
  let goesOn = false;
  for (const line of lines) {
    const text = line.trim();
    const starts = /^(?:[-+•*]\s|\d+[.)]\s|#|\|)/.test(text);
    if (goesOn && text !== "" && !starts) found.at(-1)?.push(text);
    else if (text !== "") found.push([text.replace(/^(?:[-+•*]\s+|\d+[.)]\s+|#+\s+)/, "")]);
    goesOn = text !== "" && !/^[#|]/.test(text);
  }
  return found.map((parts) => parts.join(" "));
}
