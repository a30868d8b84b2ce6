import type { CodeReviewCategory, CodeReviewFinding, CodeReviewSeverity, Finding } from "@anneal/types";
import { CATEGORY_WORDS, categoryWord, SEVERITY_WORDS, severityWord } from "../findings/severity-and-category.ts";
import { CATEGORY_LABELS } from "./review-markdown.ts";

/** A finding in seed 000's words, with the keys that the seed names and no others. */
export function toCodeReviewFinding(finding: Finding): CodeReviewFinding {
  return {
    category: gateCategory(finding),
    severity: gateSeverity(finding),
    title: finding.title,
    description: finding.description,
    ...(finding.suggestion !== undefined && { suggestion: finding.suggestion }),
    ...(finding.file !== undefined && { file: finding.file }),
    ...(finding.line !== undefined && { line: finding.line }),
  };
}

function gateCategory(finding: Finding): CodeReviewCategory {
  const word = categoryWord("gate", finding);
  if (isCategory(word)) return word;
  const written = CATEGORY_WORDS.gate.write[finding.category];
  return isCategory(written) ? written : "code";
}

function gateSeverity(finding: Finding): CodeReviewSeverity {
  const word = severityWord("gate", finding);
  return isSeverity(word) ? word : "error";
}

function isCategory(word: string): word is CodeReviewCategory {
  return Object.hasOwn(CATEGORY_LABELS, word);
}

function isSeverity(word: string): word is CodeReviewSeverity {
  return Object.hasOwn(SEVERITY_WORDS.gate.read, word);
}
