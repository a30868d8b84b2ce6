import type { ReviewedFinding, ReviewOutput } from "@anneal/types";
import { harmless, harmlessLine } from "../style.ts";
import { witnesses } from "./witnesses.ts";

const HEAD = { pass: "✅ Pass", fail: "❌ Fail", inconclusive: "❔ Inconclusive" } as const;

/** The result as a document or a comment: everything from outside is escaped. */
export function markdown(output: ReviewOutput): string {
  const { reviewer, coverage } = output;
  const who = reviewer.model === null ? reviewer.agent : `${reviewer.agent} (${reviewer.model})`;
  return `${[
    `# ${HEAD[output.verdict]}`,
    escaped(output.summary),
    `| | |\n|---|---|\n| Base | \`${output.base}\` |\n| Head | \`${output.head}\` |\n| Policy | ${output.policy} |\n| Reviewer | ${cell(who)} |`,
    ...(output.findings.length === 0 ? [] : ["## Findings", ...output.findings.map(section)]),
    ...(output.notes === undefined ? [] : ["## Notes", output.notes.map((note) => `- ${cell(note)}`).join("\n")]),
    "## Coverage",
    `${coverage.reviewed.length} ${coverage.reviewed.length === 1 ? "file" : "files"} reviewed.`,
    ...(coverage.skipped.length === 0
      ? []
      : [coverage.skipped.map(({ file, reason }) => `- not reviewed: ${code(file)}, ${escaped(reason)}`).join("\n")]),
  ].join("\n\n")}\n`;
}

function section(finding: ReviewedFinding): string {
  const place =
    finding.file === null ? [] : [`${code(finding.line === null ? finding.file : `${finding.file}:${finding.line}`)}`];
  return [
    `### ${finding.severity.toUpperCase()}: ${escaped(harmlessLine(finding.title))}`,
    [...place, finding.category, `\`${finding.fingerprint}\``].join(" · "),
    escaped(finding.description),
    ...(finding.suggestion === null ? [] : [`**Suggestion:** ${escaped(finding.suggestion)}`]),
    ...witnesses(finding).map((line) => `_${escaped(line)}_`),
  ].join("\n\n");
}

/** Markdown and HTML of a finding's text must not become markup of ours. */
function escaped(text: string): string {
  return harmless(text)
    .replace(/[\\`*_{}[\]<>#|!~]/g, "\\$&")
    .replace(/^(\s*)([=+-])/gm, "$1\\$2");
}

function cell(text: string): string {
  return escaped(text).replace(/\s+/g, " ");
}

/** A code span with a fence longer than any run of backticks inside it. */
function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const flat = harmlessLine(text);
  return longest === 0 ? `\`${flat}\`` : `${fence} ${flat} ${fence}`;
}
