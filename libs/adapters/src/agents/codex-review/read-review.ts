import { type ReviewedPaths, readIssueLines } from "@anneal/core/read";
import type { Report } from "@anneal/types";

/**
 * Reads the prose of `codex review`: comments with or without a priority, or a plain statement that there are none.
 * The common reader has the last word, so that everything else that could be an issue leaves it inconclusive.
 */
export function readCodexReview(text: string, where: ReviewedPaths): Report {
  const lines = text.split(/\r?\n/).map(withPriority);
  const hasComments = lines.some((line) => /^\s*[-*•]?\s*\[P\d+\]/i.test(line));
  const heading = lines.findIndex((line) => HEADING.test(line.trim()));
  if (heading >= 0 && !hasComments) {
    return {
      status: "inconclusive",
      reason: "The answer announces review comments, but none of them has the expected form.",
    };
  }
  const unseen = hasComments ? undefined : lines.find((line) => UNABLE.test(withoutStatements(line)));
  if (unseen !== undefined) {
    return {
      status: "inconclusive",
      reason: `The review may not have seen the change: "${unseen.trim().slice(0, 80)}".`,
    };
  }
  const shown = lines.filter((line) => !HEADING.test(line.trim())).join("\n");
  return readIssueLines({ text: shown, finished: true }, { where, signOff: "not-asked" });
}

/** Codex gets the change by itself: where that failed, no issues means nothing. */
const UNABLE =
  /\b(?:(?:could|can|was|were|am|is) ?(?:not|n't)|cannot|unable|failed|blocked|denied|(?:no|without) access|empty diff|no (?:diff|changes))\b/i;
const HEADING = /^(?:full )?review comments?:$/i;

/** "I could not find any issues" says that there are none. */
function withoutStatements(line: string): string {
  return line
    .replaceAll("’", "'")
    .replace(/\bcould ?(?:not|n't) (?:find|identify|see|spot|detect) any\b/gi, "found no");
}

/** A comment that names a location and no priority counts as one of the middle. */
function withPriority(line: string): string {
  return line.replace(/^(\s*[-*•]\s+)(?!\[P\d)(\S.* [-–—]+ \S+:\d+(?:[-–]\d+)?)$/i, "$1[P2] $2");
}
