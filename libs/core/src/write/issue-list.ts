import type { Finding } from "@anneal/types";
import { SEVERITIES } from "@anneal/types/scales";
import { categoryWord, severityWord } from "../findings/severity-and-category.ts";
import { indentRest } from "../text/markdown.ts";
import { block, locationText, oneLine, wholeMessage } from "../text/text.ts";
import { toCodeReviewFinding } from "./code-review-finding.ts";

/** The seeds whose fix prompts list issues; the others hand over a whole document. */
export type IssueListStyle = "gate" | "pull-request" | "advisory";

/** The issues of a fix prompt, in the form that the seed's fixer reads. */
export function issueList(findings: readonly Finding[], style: IssueListStyle): string {
  return STYLES[style](findings);
}

const STYLES: Record<IssueListStyle, (findings: readonly Finding[]) => string> = {
  gate: byGateSeverity,
  "pull-request": worstFirst,
  advisory: oneAfterTheOther,
};

const GATE_GROUPS = [
  { severity: "error", heading: "### ❌ Errors" },
  { severity: "warning", heading: "### ⚠️ Warnings" },
  { severity: "info", heading: "### ℹ️ Info" },
] as const;

function byGateSeverity(findings: readonly Finding[]): string {
  const issues = findings.map((finding) => ({ ...toCodeReviewFinding(finding), impact: finding.impact }));
  const groups = GATE_GROUPS.map(({ severity, heading }) => {
    const items = issues.filter((issue) => issue.severity === severity);
    const lines = items.map((issue, index) => {
      const category = issue.category.toUpperCase();
      return listItem(`${index + 1}. [${category}] ${oneLine(issue.title)}`, [
        block(issue.description),
        labelled("Impact", block(issue.impact ?? "")),
        labelled("File", locationText(issue)),
        labelled("Suggestion", block(issue.suggestion ?? "")),
      ]);
    });
    return lines.length === 0 ? "" : [heading, lines.join("\n\n")].join("\n");
  });
  return groups.filter((group) => group !== "").join("\n\n");
}

function worstFirst(findings: readonly Finding[]): string {
  const sorted = SEVERITIES.flatMap((severity) => findings.filter((finding) => finding.severity === severity));
  const items = sorted.map((finding, index) => {
    const severity = severityWord("pull-request", finding);
    const category = oneLine(categoryWord("pull-request", finding));
    return listItem(`${index + 1}. [${severity}] ${category}: ${oneLine(finding.title)}`, [
      block(finding.description),
      labelled("Impact", block(finding.impact ?? "")),
      labelled("File", rangeText(finding)),
      labelled("Suggested fix", block(finding.suggestion ?? "")),
    ]);
  });
  return items.join("\n\n");
}

function oneAfterTheOther(findings: readonly Finding[]): string {
  const issues = findings.map((finding, index) => {
    const place = locationText(finding);
    const suggestion = block(finding.suggestion ?? "");
    const lines = [`## Issue ${index + 1}: ${severityWord("advisory", finding)}`];
    if (place !== "") lines.push(`**File**: ${place}`);
    lines.push(`**Problem**: ${wholeMessage(finding)}`);
    if (suggestion !== "") lines.push(`**Suggestion**: ${suggestion}`);
    return lines.join("\n");
  });
  return issues.join("\n\n");
}

function listItem(heading: string, details: readonly string[]): string {
  const bullets = details.filter((detail) => detail !== "").map((detail) => `   - ${indentRest(detail, 5)}`);
  return [heading, ...bullets].join("\n");
}

function labelled(label: string, text: string): string {
  return text === "" ? "" : `${label}: ${text}`;
}

function rangeText(finding: Finding): string {
  const place = locationText(finding);
  const several = finding.line !== undefined && finding.endLine !== undefined && finding.endLine > finding.line;
  return place !== "" && several ? `${place}-${finding.endLine}` : place;
}
