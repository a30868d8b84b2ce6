import type { AnswerReading } from "../answer/answer.ts";
import { clausesOf } from "./clauses.ts";
import { defect, demand, grave, namesLocation, objection } from "./dissent.ts";
import { folded } from "./folded.ts";
import { type AnswerLine, headingOf } from "./markdown.ts";

export const ISSUE_HEAD = /^[\s>]*\d+[.)]\s+\*\*\[/;
export const ISSUE_FIELD = /^[\s>]*(?:[-*+]\s+)?\*\*(?:Files?|Location|Problem|Impact|Fix):?\*\*/i;

/** Lines under a heading that the contract does not know. */
export interface Remarks {
  title: string;
  lines: AnswerLine[];
}

/** Sections that praise may name what was averted. */
const PRAISING = /\b(?:positive|strengths?|highlights?|good|well|praise)\b/i;
/** Sections that report what was done may hold lists; others have no business with them. */
const REPORTING =
  /\b(?:scope|coverage|acceptance|criteria|requirements?|checked|checks|checklist|verified|verification|review(?:ed)?|analysis|assessment|looked|examined|method(?:ology)?|approach|process|context|overview|background|files|tests?|testing|notes?|metrics|statistics|references|appendix|tasks?|story|diff|commits)\b/i;
const WORRYING =
  /\b(?:security|concerns?|risks?|warnings?|vulnerab\w*|caveats?|actions?|to-?dos?|follow|open|unresolved|weakness(?:es)?|improve\w*|recommend\w*|next)\b/i;
const UNMET =
  /❌|✗|✘|\[ \]|(?:[:|]|\w\s[–—-])\s*(?:not met|unmet|missing|partial|partly|fail|incomplete|not implemented|no\s*(?:\||$))/i;
const PRAISE =
  /\b(?:good|great|nice|clean|clear|solid|robust|sound|careful|thorough|well|correct|correctly|properly|safe|safely|guards?|guarded|against|prevents?|protects?|avoids?|catches|handles?|handled|covers?|covered|fix|fixes)\b/;

/** Remarks are left out of the list of findings, so they must not hold what belongs there. */
export function refuseIssuesInRemarks({ problem }: AnswerReading, { title, lines }: Remarks): void {
  const praises = isPraise(title);
  const reports = praises || (REPORTING.test(title) && !WORRYING.test(title));
  for (const line of lines.filter(({ text }) => text.trim() !== "")) {
    const clauses = clausesOf([line]);
    const complaint = defect(praises ? clauses.filter((clause) => !PRAISE.test(clause)) : clauses);
    const isIssue =
      ISSUE_FIELD.test(line.probe) ||
      ISSUE_HEAD.test(line.probe) ||
      UNMET.test(line.probe) ||
      (complaint ?? grave(clauses) ?? objection(clauses)) !== undefined ||
      (!praises && demand(clauses) !== undefined) ||
      (!reports && (isListed(line) || namesLocation(folded(line.probe))));
    if (isIssue) problem(`"${line.text.trim().slice(0, 60)}" under "${title}" is outside the list of issues.`);
  }
}

/** Whether a section under this title says what is good. */
export function isPraise(title: string): boolean {
  return PRAISING.test(title) && !WORRYING.test(title);
}

/** What stands under headings of its own inside of a section that is read as prose. */
export function remarksIn(lines: readonly AnswerLine[]): Remarks[] {
  const found: Remarks[] = [];
  for (const line of lines) {
    const heading = headingOf(line);
    if (heading !== undefined) found.push({ title: heading.title, lines: [] });
    else found.at(-1)?.lines.push(line);
  }
  return found;
}

/** A recommendation may ask for what the minor findings name; over an empty list there is nothing to ask for. */
export function refuseDemand({ problem }: AnswerReading, summary: readonly AnswerLine[], minor: number): void {
  const clauses = clausesOf(summary);
  const asked = demand(minor === 0 ? clauses : clauses.filter((clause) => BINDING.test(clause) && !LIGHT.test(clause)));
  if (asked !== undefined) problem(`Nothing is listed as to be fixed, but the summary says "${asked.slice(0, 60)}".`);
}

const BINDING = /\b(?:must|first|before|until|unless|has to|have to|needs? to)\b/;
const LIGHT = /\b(?:minor|optional|optionally|nits?|naming|wording|small|cosmetic|polish|style|follow-?up|later|if)\b/;

function isListed(line: AnswerLine): boolean {
  return line.kind !== "text" || /^\s*(?:[-*+•]\s|\d+[.)]\s|\|)/.test(line.text);
}
