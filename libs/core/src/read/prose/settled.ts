import type { AnswerReading } from "../answer/answer.ts";
import { type AnswerLine, linesOf } from "./markdown.ts";
import { ISSUE_FIELD, type Remarks } from "./remarks.ts";

/** Whether a section is about issues of an earlier round, such as `Round 1 Issues -- Verification`, and not a list of its own. */
export function looksBack(title: string): boolean {
  return ASKS_AFTER.test(title) && EARLIER.test(title) && !CURRENT.test(title);
}

const ASKS_AFTER =
  /\b(?:verif(?:ied|ication|ying)|status|follow-?ups?|re-?check(?:ed)?|resolution|resolved|fixed|addressed|outcome)\b/i;
const EARLIER = /\b(?:round\s*#?\s*\d+|previous|prior|earlier)\b/i;
const CURRENT =
  /\b(?:new|remaining|open|unresolved|unfixed|not|still|current|additional|critical|important|must.fix|blockers?)\b/i;

/**
 * What such a section says besides that an issue is mended, to be looked at like any other remark. One word of doubt
 * is a problem: an issue that is still there belongs into its own section.
 */
export function unsettledRemarks({ problem }: AnswerReading, { title, lines }: Remarks): Remarks[] {
  const doubtful = lines.find((line) => DOUBT.test(isSettled(line) ? saidOf(line) : ownWords(line)));
  if (doubtful !== undefined)
    problem(`"${doubtful.text.trim().slice(0, 60)}" under "${title}" leaves it open what is mended.`);
  const entries = lines.filter((line, at) => !isHead(line, lines[at + 1]));
  return [
    { title: "Earlier round", lines: entries.filter((line) => !isSettled(line)) },
    { title: "Verification", lines: entries.filter(isSettled).flatMap(explanation) },
  ];
}

function isSettled(line: AnswerLine): boolean {
  return line.kind === "text" && !ISSUE_FIELD.test(line.probe) && SETTLED.test(line.text);
}

/** What stands before "FIXED" is the name of the earlier issue; what counts is what is said of it. */
function saidOf(line: AnswerLine): string {
  return ownWords({ ...line, plain: line.plain.replace(SETTLED, "") });
}

/** Without code and what it quotes. */
function ownWords({ plain }: AnswerLine): string {
  return plain.replace(/"[^"]{0,300}"|“[^”]{0,300}”/g, " ").replace(/\bno longer\b/gi, " ");
}

const SETTLED =
  /^.*?(?:(?:--|[–—:|(]|\s-)[\s*_]*|[✅✓✔]\s*)(?:verified(?: as)?\s+)?(?:fixed|resolved|addressed|verified fixed)\b[)\]*_]*(?=\W*$|\s*(?:[.:;,–—(|]|--|-\s))/i;
const DOUBT =
  /\b(?:not|never|no|none|nothing|still|partial\w*|partly|mostly|remain\w*|incomplete\w*|open|un(?:fixed|resolved|addressed|verified)|but|however|although|except|only|cannot|should|must|needs?|regress\w*|again|new|yet|if|once|until|would|could|claims?|claimed|supposedly|to be|failed|fails|broken|missing|pending|deferred|skipped|ignored|reopened|same|elsewhere|wont-?fix|since|as it was|crash\w*)\b|n't\b|[❌✗✘?⚠]|\[ \]/i;

/** How it was mended. */
function explanation(line: AnswerLine): AnswerLine[] {
  const text = line.text.replace(SETTLED, "").replace(/^[^\p{L}\p{N}]+/u, "");
  return linesOf(text);
}

/** The head of a table and the rule below it say nothing by themselves. */
function isHead({ text }: AnswerLine, next: AnswerLine | undefined): boolean {
  const rule = /^\s*\|?[\s:|-]*-[\s:|-]*$/;
  const words =
    /^[\s|*_#]*(?:(?:issues?|findings?|id|status|verification|result|title|severity|round \d+)[\s|*_#]*)+$/i;
  return rule.test(text) || (words.test(text) && next !== undefined && rule.test(next.text));
}
