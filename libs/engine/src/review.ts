import type { Change, Clock, ReviewAnswer, Reviewer } from "@anneal/adapters";
import { judge, track } from "@anneal/core";
import type { CompleteReport, Policy, ReviewOutput, TrackedFinding, Verdict } from "@anneal/types";
import { withSnippets } from "./snippets.ts";
import { type Watched, watched } from "./watched.ts";

export interface ReviewArgs {
  change: Change;
  policy: Policy;
  reviewer: Reviewer;
  clock: Clock;
  signal: AbortSignal;
  onProgress?: (message: string) => void;
}

/** One review of one change: a reviewer's report, and what the policy's gate makes of it. */
export async function review(args: ReviewArgs): Promise<ReviewOutput> {
  const { policy, reviewer, clock } = args;
  const startedAt = clock.now();
  const change = watched(args.change);
  const answer = await reviewer.review(change, args.signal, args.onProgress);
  const { findings, verdict, summary } = await judged(answer, change, policy, reviewer);
  return {
    schemaVersion: 1,
    base: change.bounds.base,
    head: change.bounds.head,
    policy: policy.name,
    verdict: verdict.result,
    summary,
    findings: findings.map(shown),
    coverage: answer.coverage,
    reviewer: { agent: reviewer.name, model: answer.model ?? null },
    usage: answer.usage,
    durationMs: clock.now() - startedAt,
  };
}

interface Judged {
  findings: TrackedFinding[];
  verdict: Verdict;
  summary: string;
}

async function judged(answer: ReviewAnswer, change: Watched, policy: Policy, reviewer: Reviewer): Promise<Judged> {
  const { report, coverage } = answer;
  if (report.status === "inconclusive") return inconclusive(report.reason, []);
  const located: CompleteReport = { ...report, findings: await withSnippets(report.findings, change) };
  const seen = { report: located, regions: change.regions(), head: change.bounds.head, round: 1 };
  const findings = track([], { ...seen, standing: [], renames: {}, lastFix: undefined });
  const requirementsJudged = reviewer.requirements === "judged";
  const verdict = judge(policy, { report: located, requirementsJudged, round: 1, findings });
  if (verdict.result === "pass" && coverage.reviewed.length === 0) {
    return inconclusive("no file of this change could be read, so nothing was judged", findings);
  }
  return { findings, verdict, summary: `${verdict.reason}. ${report.summary}`.trim() };
}

function inconclusive(reason: string, findings: TrackedFinding[]): Judged {
  return { findings, verdict: { result: "inconclusive", reason }, summary: reason };
}

function shown({ fingerprint, finding, origin, lifecycle }: TrackedFinding): ReviewOutput["findings"][number] {
  return {
    fingerprint,
    rule: finding.rule ?? null,
    category: finding.category,
    severity: finding.severity,
    title: finding.title,
    description: finding.impact === undefined ? finding.description : `${finding.description} ${finding.impact}`,
    suggestion: finding.suggestion ?? null,
    file: finding.file ?? null,
    line: finding.line ?? null,
    endLine: finding.endLine ?? null,
    origin: origin.kind,
    status: lifecycle,
  };
}
