import type { DocumentIssue, Finding, FindingsDocument, Severity } from "@anneal/types";
import { categoryWord } from "../findings/severity-and-category.ts";
import { REQUIREMENTS_NOT_JUDGED } from "../gate/not-judged.ts";
import { markFences } from "../text/markdown.ts";
import { block, locationText, oneLine } from "../text/text.ts";

type Section = keyof FindingsDocument["issues"];

/** A story id that would not stay inside its folder. */
export class InvalidStoryIdError extends Error {
  override name = "InvalidStoryIdError";
}

/** Where the findings of one round belong (seed 003). */
export function findingsDocumentPath(storyId: string, round: number): string {
  if (storyId.length > 64 || !/^[A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)*$/u.test(storyId)) {
    throw new InvalidStoryIdError(`${JSON.stringify(storyId.slice(0, 80))} is not a story id`);
  }
  if (!Number.isSafeInteger(round) || round < 1) throw new RangeError(`${round} is not a round`);
  return `docs/progress/story-${storyId}-review-findings-round-${round}.md`;
}

const SECTION_OF: Record<Severity, Section> = {
  critical: "critical",
  high: "important",
  medium: "important",
  low: "minor",
  info: "minor",
};

/** One round's findings as the document of seed 003. Numbers run on over the sections. */
export function toFindingsDocument(args: {
  storyId: string;
  round: number;
  /** Epoch milliseconds. */
  reviewedAt: number;
  branch: string;
  findings: readonly Finding[];
  reviewer?: string;
  /** The reviewer's own; where there is none, what follows from the findings. */
  recommendation?: string | undefined;
  /** Whether it passed without anybody judging the requirements. */
  isUnjudged?: boolean;
}): FindingsDocument {
  let number = 0;
  const section = (name: Section): DocumentIssue[] =>
    args.findings
      .filter((finding) => SECTION_OF[finding.severity] === name)
      .map((finding) => {
        number += 1;
        return toIssue(finding, number);
      });
  const issues = { critical: section("critical"), important: section("important"), minor: section("minor") };
  const mustFix = issues.critical.length + issues.important.length;
  return {
    storyId: args.storyId,
    round: args.round,
    reviewer: args.reviewer ?? "Agent (Fresh Context)",
    date: new Date(args.reviewedAt).toISOString().slice(0, 16).replace("T", " "),
    branch: args.branch,
    issues,
    summary: {
      total: args.findings.length,
      critical: issues.critical.length,
      important: issues.important.length,
      minor: issues.minor.length,
      recommendation:
        mustFix > 0
          ? (args.recommendation ?? "Fix every Critical and Important issue, then review again")
          : `${args.recommendation ?? "Ready for commit and pull request"}${args.isUnjudged === true ? `; ${REQUIREMENTS_NOT_JUDGED}` : ""}`,
    },
  };
}

/** The findings document as markdown, in the seed's exact format. */
export function findingsDocument(doc: FindingsDocument): string {
  const { issues, summary } = doc;
  const sections = [
    `# Story ${oneLine(doc.storyId)} Code Review Findings - Round ${doc.round}`,
    [
      `**Reviewer:** ${oneLine(doc.reviewer)}`,
      `**Date:** ${oneLine(doc.date)}`,
      `**Branch:** ${oneLine(doc.branch)}`,
    ].join("\n"),
    "## Critical Issues (Must Fix)",
    ...issueTexts(issues.critical),
    "## Important Issues (Should Fix)",
    ...issueTexts(issues.important),
    "## Minor Issues (Nice to Have)",
    ...issueTexts(issues.minor),
    "## Summary",
    [
      `- **Total findings:** ${summary.total}`,
      `- **Critical:** ${summary.critical}`,
      `- **Important:** ${summary.important}`,
      `- **Minor:** ${summary.minor}`,
      `- **Recommendation:** ${oneLine(summary.recommendation)}`,
    ].join("\n"),
  ];
  return `${sections.join("\n\n")}\n`;
}

function toIssue(finding: Finding, number: number): DocumentIssue {
  return {
    number,
    category: oneLine(categoryWord("adversarial", finding)),
    title: oneLine(finding.title),
    ...(finding.file !== undefined && { file: finding.file }),
    ...(finding.line !== undefined && { line: finding.line }),
    problem: block(finding.description) || oneLine(finding.title),
    ...(finding.impact !== undefined && { impact: finding.impact }),
    ...(finding.suggestion !== undefined && { fix: finding.suggestion }),
  };
}

function issueTexts(issues: readonly DocumentIssue[]): string[] {
  if (issues.length === 0) return ["None identified."];
  return issues.map((issue) => {
    const category = oneLine(issue.category).replace(/[[\]*:]/gu, "");
    const fields = [
      field("File", locationText(issue)),
      field("Problem", issue.problem),
      field("Impact", issue.impact ?? ""),
      field("Fix", issue.fix ?? ""),
    ];
    return [
      `${issue.number}. **[${category}]:** ${visible(oneLine(issue.title))}`,
      ...fields.filter((text) => text !== ""),
    ].join("\n");
  });
}

function field(label: string, text: string): string {
  const value = block(text);
  if (value === "") return "";
  const lines = value.split("\n");
  const marks = markFences(lines.map((line) => line.trimStart()));
  const shown = lines.map((line, at) => continued(line, marks[at]?.fenced === true));
  // A code fence cannot start behind its label: there, its end would be read as the start of another.
  const first = marks[0]?.fenced ? "" : ` ${visible(lines[0] ?? "")}`;
  return [`   - **${label}:**${first}`, ...(first === "" ? shown : shown.slice(1))].join("\n");
}

const LABEL =
  "files?|locations?|lines?|problem|issue|description|details|impact|why|(?:suggested )?fix|suggestion|recommendation";
const FIELD_LIKE = new RegExp(`^(?:[-*+•>]\\s+)*(?:\\*\\*|__|(?:${LABEL})\\s*:)`, "iu");
const STRUCTURE_LIKE = /^(?:#{1,6}\s|-{3,}\s*$|(?:[-*+•]\s+|\d+[.)]\s+)?(?:`{3,}|~{3,})|\d+[.)]\s+(?:\*\*|__))/u;

// Later lines stand under their list item, and none of them can be taken for a heading, an issue or a field.
function continued(line: string, isCode: boolean): string {
  const text = line.trimStart();
  if (text === "") return "";
  const indent = " ".repeat(5) + line.slice(0, line.length - text.length);
  const escaped = FIELD_LIKE.test(text) || (!isCode && STRUCTURE_LIKE.test(text));
  return `${indent}${escaped ? "\\" : ""}${isCode ? text : visible(text)}`;
}

/** An HTML comment would hide what follows it. */
function visible(text: string): string {
  return text.replaceAll("<!--", "&lt;!--");
}
