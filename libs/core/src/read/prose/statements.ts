import type { AnswerLine } from "./markdown.ts";

const KINDS = "issues|bugs|problems|defects|findings";
const BESIDE = `${KINDS}|regressions|errors|concerns`;
const WHICH = "(?:(?:discrete|actionable|concrete|new|further|reportable)(?:,? and |, | )){0,3}";
const NONE = `${WHICH}(?:(?:${BESIDE}),? (?:or|and) )?(?:${KINDS})(?:,? (?:or|and) (?:${BESIDE}))?`;
const WHERE =
  "(?:,? (?:in|introduced by|introduced in|caused by|from|with) (?:the|this|these|that) (?:(?:code )?changes?|patch|diff|commit|branch|changed (?:code|lines|files)))?";
const TO_FIX = "(?: that (?:the author )?(?:would )?(?:need|have) to (?:be )?fix(?:ed)?)?";
const WHO = "(?:I|we|the review)";
const STATEMENTS = [
  `${WHO} (?:did not|didn't|could not|couldn't|do not|don't) (?:find|identify|see|spot|detect) any ${NONE}${TO_FIX}${WHERE}`,
  `${WHO} (?:found|identified|saw|see|detected) no ${NONE}${TO_FIX}${WHERE}`,
  `${WHO} (?:have )?(?:reviewed|read|checked|examined) the (?:diff|change|changes|patch|branch|code) and (?:have )?(?:found|saw|identified) no ${NONE}${WHERE}`,
  `there (?:are|were) no ${NONE}${TO_FIX}${WHERE}`,
  `no ${NONE}(?: (?:were|was|are))? (?:found|identified|detected|introduced|discovered)${WHERE}`,
  "0 issues found",
].map(
  (one) =>
    new RegExp(
      `^(?:overall, |(?:lgtm|looks good(?: to me)?)\\s?[-–—,:]\\s?|(?:code )?review (?:passed|complete)[:,] )?${one}[.!]*$`,
      "i",
    ),
);

/** Whether a whole sentence says that there are no issues, and nothing else. */
export function saysNoIssues(sentence: string): boolean {
  const plain = sentence
    .replaceAll("’", "'")
    .replace(/^(?:\s|\uFE0F|\p{Extended_Pictographic})+|(?:\s|\uFE0F|\p{Extended_Pictographic})+$/gu, "")
    .replace(/\*\*|__/g, "");
  return STATEMENTS.some((statement) => statement.test(plain));
}

/** A line in pieces of which each can be the statement. A list or a table holds none, and neither does what is quoted or reported. */
export function sentencesOf(line: AnswerLine): AnswerLine[] {
  if (line.kind !== "text" || /^\s*(?:[-*•+>|`#]\s|[>|`#]|\d+[.)]\s)/.test(line.text) || REPORTS.test(line.plain))
    return [line];
  const own = line.plain.replace(/"[^"]*"|“[^”]*”/g, (quoted) => "_".repeat(quoted.length));
  const ends = [...own.matchAll(/(?<=[.!])\s+|;\s+|,?\s+and\s+(?=(?:I|we|there)\b|no\s)/gi)];
  const starts = [0, ...ends.map(({ index, 0: gap }) => index + gap.length)];
  return starts.map((from, at) => {
    const to = ends[at]?.index ?? line.text.length;
    return { ...line, text: line.text.slice(from, to), plain: own.slice(from, to), probe: line.probe.slice(from, to) };
  });
}

const REPORTS =
  /\b(?:says?|said|prints?|outputs?|reads|contains?|asked|told|instruct\w*|message|comment|description)\b[^.]*:/i;
