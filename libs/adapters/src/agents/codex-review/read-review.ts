import { readIssueLines } from "@anneal/core/read";
import type { Report } from "@anneal/types";

/**
 * Reads the prose of `codex review`: comments with or without a priority, or a plain statement that there are none.
 * The common reader has the last word, so that everything else that could be an issue leaves it inconclusive.
 */
export function readCodexReview(text: string, root: string): Report {
  const lines = text.replaceAll(`${root}/`, "").split(/\r?\n/).map(withPriority);
  const hasComments = lines.some((line) => /^\s*[-*•]?\s*\[P\d+\]/i.test(line));
  const heading = lines.findIndex((line) => HEADING.test(line.trim()));
  if (heading >= 0 && !hasComments) {
    return { status: "inconclusive", reason: "The answer announces review comments, but none can be read." };
  }
  const shown = hasComments ? lines : lines.flatMap(sentencesOf).map(asStatement);
  const unseen = hasComments ? undefined : shown.find((line) => UNABLE.test(line.replaceAll("’", "'")));
  if (unseen !== undefined) {
    return {
      status: "inconclusive",
      reason: `The review may not have seen the change: "${unseen.trim().slice(0, 80)}".`,
    };
  }
  return readIssueLines({ text: shown.filter((line) => !HEADING.test(line.trim())).join("\n"), finished: true });
}

/** Codex gets the change by itself: where that failed, no issues means nothing. */
const UNABLE =
  /\b(?:(?:could|can|was|were|am|is) ?(?:not|n't)|cannot|unable|failed|blocked|denied|(?:no|without) access|empty diff|no (?:diff|changes))\b/i;
const HEADING = /^(?:full )?review comments?:$/i;

/** A comment that names a place and no priority counts as one of the middle. */
function withPriority(line: string): string {
  return line.replace(/^(\s*[-*•]\s+)(?!\[P\d)(\S.* [-–—]+ \S+:\d+(?:[-–]\d+)?)$/i, "$1[P2] $2");
}

function sentencesOf(line: string): string[] {
  if (/^\s*[-*•>|`#]/.test(line)) return [line];
  return line.split(/(?<=[.!])\s+|;\s+|,?\s+and\s+(?=(?:I|we|no|there)\b)/i);
}

const KINDS = "issues|bugs|problems|defects|findings";
const BESIDE = "issues|bugs|problems|defects|findings|regressions|errors|concerns";
const WHICH = "(?:(?:discrete|actionable|concrete|new|further)(?:,? and |, | )){0,3}";
const NONE = `${WHICH}(?:(?:${BESIDE}),? (?:or|and) )?(?:${KINDS})(?:,? (?:or|and) (?:${BESIDE}))?`;
const WHERE =
  "(?: (?:in|introduced by|introduced in|caused by|from|with) (?:the|this|these|that) (?:(?:code )?changes?|patch|diff|commit|branch|changed (?:code|lines|files)))?";
const STATEMENTS = [
  `(?:I|we|the review) (?:did not|didn't|could not|couldn't|do not|don't) (?:find|identify|see|spot|detect) any ${NONE}${WHERE}`,
  `(?:I|we|the review) (?:found|identified|saw|see|detected) no ${NONE}${WHERE}`,
  `there (?:are|were) no ${NONE}${WHERE}`,
  `no ${NONE}(?: (?:were|was|are))? (?:found|identified|detected|introduced|discovered)${WHERE}`,
].map((one) => new RegExp(`^(?:overall, )?${one}[.!]?$`, "i"));

/** A whole sentence that says that there are no issues, as the words that the common reader knows. */
function asStatement(sentence: string): string {
  const plain = sentence.replaceAll("’", "'").trim();
  return STATEMENTS.some((statement) => statement.test(plain)) ? "No issues found." : sentence;
}
