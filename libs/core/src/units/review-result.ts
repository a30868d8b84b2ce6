import type { AdvisoryReviewIssue, AdvisoryReviewResult, Finding, Report, Verdict } from "@anneal/types";
import { severityWord } from "../words.ts";
import { withBlocking } from "../write/blocking.ts";
import { block, oneLine, wholeMessage } from "../write/text.ts";

/** A finding as seed 004's ReviewIssue. */
export function toReviewIssue(finding: Finding): AdvisoryReviewIssue {
  const suggestion = block(finding.suggestion ?? "");
  return {
    file: finding.file ?? "",
    line: finding.line ?? 0,
    severity: severityOf(finding),
    message: wholeMessage(finding),
    ...(suggestion === "" ? {} : { suggestion }),
  };
}

/** A review as seed 004's ReviewResult, or why there is none: what cannot be read is an error, never a pass. */
export function toReviewResult(
  report: Report,
  verdict: Verdict,
  rawOutput?: string,
): AdvisoryReviewResult | { error: string } {
  if (report.status === "inconclusive") return { error: report.reason };
  if (verdict.result === "inconclusive") return { error: verdict.reason };
  const issues = issuesOf(report.findings, verdict);
  const summary =
    oneLine(report.summary) || (issues.length === 0 ? "No issues found" : `Found ${issues.length} issues`);
  const raw = rawOutput === undefined ? {} : { rawOutput };
  return { passed: verdict.result === "pass", issues, summary, ...raw };
}

/** Everything that a failing review asks for; a passing one has nothing left that counts. */
export function issuesOf(findings: readonly Finding[], verdict: Verdict): AdvisoryReviewIssue[] {
  return verdict.result === "pass" ? [] : withBlocking(findings, verdict).map(toReviewIssue);
}

function severityOf(finding: Finding): AdvisoryReviewIssue["severity"] {
  const word = severityWord("advisory", finding);
  return word === "warning" || word === "suggestion" ? word : "error";
}
