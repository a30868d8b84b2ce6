import type { Finding, LoopState, ReviewIssue, ReviewResult, Round, TrackedFinding } from "@anneal/types";
import { fingerprint, identityKey, withoutSnippetKey } from "../findings/fingerprint.ts";
import { CATEGORY_WORDS, SEVERITY_WORDS } from "../findings/severity-and-category.ts";
import { isoSeconds, wholeMessage } from "../text/text.ts";
import { certificateSummary } from "../write/held-back.ts";

/** A finding in seed 001's form. */
export function toReviewIssue(finding: Finding, id: string): ReviewIssue {
  const { file, line, endLine, suggestion } = finding;
  const words = { severity: SEVERITY_WORDS, category: CATEGORY_WORDS } as const;
  return {
    id,
    severity: words.severity["pull-request"].write[finding.severity] as ReviewIssue["severity"],
    category: words.category["pull-request"].write[finding.category] as ReviewIssue["category"],
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { lineStart: line }),
    ...(line === undefined ? {} : { lineEnd: Math.max(line, endLine ?? line) }),
    description: wholeMessage(finding),
    ...(suggestion === undefined ? {} : { suggestedFix: suggestion }),
  };
}

/** One round in seed 001's form. Its verdict is ours: the reviewer's own word can only be milder. */
export function toReviewResult({ findings: ledger }: Pick<LoopState, "findings">, round: Round): ReviewResult {
  const { verdict, report, number } = round;
  const blocking = verdict.result === "fail" ? verdict.blocking : [];
  const listed = new Set(report.findings.map(identity));
  // A low score or a bare rejection blocks without being in the list.
  const all = [...report.findings, ...blocking.filter((finding) => !listed.has(identity(finding)))];
  const critical = all.some(({ severity }) => severity === "critical");
  const ids = idsOf(all, ledger, number);
  return {
    verdict: verdict.result === "pass" ? "pass" : critical ? "critical_issues" : "needs_work",
    issues: all.map((finding, index) => toReviewIssue(finding, ids[index] ?? identity(finding))),
    summary: certificateSummary(report, verdict),
    iteration: number,
    timestamp: isoSeconds(round.reviewedAt),
  };
}

/** The names that the ledger gives to a round's findings, so that an issue keeps its id over the iterations. */
function idsOf(findings: readonly Finding[], ledger: readonly TrackedFinding[], round: number): string[] {
  // One that was found before and still blocks keeps its name, although this round passed over it.
  const known = ledger.filter(({ firstRound }) => firstRound <= round);
  const seen = (entry: TrackedFinding) => Number(entry.lastRound >= round);
  const free = new Set(known.toSorted((a, b) => seen(b) - seen(a)));
  const take = (fits: (entry: TrackedFinding) => boolean): string | undefined => {
    const entry = [...free].find(fits);
    if (entry !== undefined) free.delete(entry);
    return entry?.fingerprint;
  };
  const exact = findings.map((finding) => take((entry) => identity(entry.finding) === identity(finding)));
  return findings.map((finding, index) => {
    const key = identityKey(finding) ?? withoutSnippetKey(finding);
    const name =
      exact[index] ?? take((entry) => (identityKey(entry.finding) ?? withoutSnippetKey(entry.finding)) === key);
    return name ?? fingerprint(key, index);
  });
}

function identity(finding: Finding): string {
  return [finding.rule ?? finding.category, finding.file, finding.line, finding.title, finding.snippet].join("\0");
}
