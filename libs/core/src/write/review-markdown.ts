import type { CodeReviewCategory, CodeReviewFinding, CodeReviewIteration, CodeReviewStatus } from "@anneal/types";
import { escapeBlock, fenced, languageOf } from "../text/markdown.ts";
import { block, locationText, oneLine, pathText, plainText } from "../text/text.ts";

export const STATUS_LABELS: Record<CodeReviewStatus, string> = {
  approved: "✅ APPROVED",
  rejected: "❌ REJECTED",
  failed: "⚠️ FAILED",
};

/** Before the reason why a change did not pass that its reviewer approved. */
export const HELD_BACK = "❌ HELD BACK: ";

export const CATEGORY_LABELS: Record<CodeReviewCategory, string> = {
  compliance: "Compliance",
  code: "Code Quality",
  test: "Test Coverage",
  architecture: "Architecture",
  performance: "Performance",
};

export const COMPLIANT = "### ✓ Compliant";
export const NOT_COMPLIANT = "### ❌ Non-Compliant / Incomplete";
export const NO_FINDINGS = "No findings.";

/** An iteration as its document shows it: the seed's, and why it did not pass although the reviewer approved. */
export type ShownIteration = CodeReviewIteration & { heldBack?: string };

/** A feature's review as `code-review-iteration-N.md` shows it (seed 000 §2.4). */
export function reviewMarkdown(args: { title: string; iteration: ShownIteration; maxIterations: number }): string {
  const { iteration } = args;
  const action = iteration.actionRequired ?? iteration.rejectionReason;
  const sections = [
    `# Code Review - Feature: ${oneLine(args.title)}\n**Iteration ${iteration.iterationNumber} of ${args.maxIterations}**`,
    `**Status**: ${iteration.heldBack === undefined ? STATUS_LABELS[iteration.status] : `${HELD_BACK}${oneLine(iteration.heldBack)}`}`,
    `**Reviewed At**: ${dateText(iteration.reviewedAt)}\n**Reviewed By Model**: ${oneLine(iteration.reviewedByModel)}`,
    headed("## Overall Summary", escapeBlock(block(iteration.overallSummary))),
    ...complianceSections(iteration.compliance),
    "## Findings",
    ...(iteration.findings.length === 0 ? [NO_FINDINGS] : iteration.findings.flatMap(findingSections)),
    ...(action === undefined ? [] : [headed("## Action Required", escapeBlock(block(action)))]),
  ];
  return `${sections.map((section) => section.trimEnd()).join("\n\n")}\n`;
}

/** The name of a review's file, next to feature.json. */
export function reviewFileName(iterationNumber: number): string {
  return `code-review-iteration-${iterationNumber}.md`;
}

function complianceSections(compliance: CodeReviewIteration["compliance"]): string[] {
  if (compliance === undefined) return [];
  const lists = [listed(COMPLIANT, compliance.met), listed(NOT_COMPLIANT, compliance.unmet)].filter((s) => s !== "");
  return [headed("## Compliance Review", lists.join("\n\n"))];
}

function listed(heading: string, items: readonly string[]): string {
  const lines = items.map(oneLine).filter((item) => item !== "");
  return lines.length === 0 ? "" : [heading, ...lines.map((item) => `- ${item}`)].join("\n");
}

function findingSections(finding: CodeReviewFinding): string[] {
  const description = escapeBlock(block(finding.description));
  const place = placeLines(finding);
  // Without a location the description stands right under the heading.
  const opening =
    place === "" ? [headed(headingOf(finding), description)] : [headed(headingOf(finding), place), description];
  const language = languageOf(finding.file);
  const code =
    finding.currentCode === undefined ? [] : [`**Current Code**:\n${fenced(plainText(finding.currentCode), language)}`];
  const suggestion = finding.suggestion === undefined ? [] : [suggestionText(plainText(finding.suggestion), language)];
  return [...opening.filter((part) => part !== ""), ...code, ...suggestion, "---"];
}

function headingOf(finding: CodeReviewFinding): string {
  const place = locationText(finding);
  const parts = [
    `### [${finding.severity.toUpperCase()}] ${CATEGORY_LABELS[finding.category]}:`,
    oneLine(finding.title),
  ];
  if (place !== "") parts.push(`(${place})`);
  return parts.filter((part) => part !== "").join(" ");
}

function placeLines({ file, line }: CodeReviewFinding): string {
  const lines = [];
  if (file !== undefined && file !== "") lines.push(`**File**: ${pathText(file)}`);
  if (line !== undefined) lines.push(`**Line**: ${line}`);
  return lines.join("\n");
}

function suggestionText(suggestion: string, language: string): string {
  const inline = suggestion !== "" && suggestion === suggestion.trim() && !suggestion.includes("\n");
  if (inline && !looksLikeCode(suggestion)) return `**Suggestion**: ${suggestion}`;
  return `**Suggestion**:\n${fenced(suggestion, language)}`;
}

function looksLikeCode(line: string): boolean {
  return /[;{}]$/u.test(line) || /^(?:const|let|var|return|throw|import|export)\b.*[=({'"]/u.test(line);
}

function headed(heading: string, text: string): string {
  return text === "" ? heading : `${heading}\n${text}`;
}

function dateText(iso: string): string {
  const epochMs = Date.parse(iso);
  if (Number.isNaN(epochMs)) return oneLine(iso);
  return `${new Date(epochMs).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
