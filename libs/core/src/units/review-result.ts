import type { AdvisoryReviewIssue, Finding, Verdict } from "@anneal/types";
import { severityWord } from "../findings/severity-and-category.ts";
import { block, wholeMessage } from "../text/text.ts";
import { withBlocking } from "../write/blocking.ts";

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

/** Everything that a failing review asks for; a passing one has nothing left that counts. */
export function issuesOf(findings: readonly Finding[], verdict: Verdict): AdvisoryReviewIssue[] {
  return verdict.result === "pass" ? [] : withBlocking(findings, verdict).map(toReviewIssue);
}

function severityOf(finding: Finding): AdvisoryReviewIssue["severity"] {
  const word = severityWord("advisory", finding);
  return word === "warning" || word === "suggestion" ? word : "error";
}
