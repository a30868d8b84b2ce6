import type { Change, Clock, ReviewAnswer, Reviewer } from "@anneal/adapters";
import { assess, isJudgement, track } from "@anneal/core";
import { unseenIn } from "@anneal/core/unseen";
import type { Repo } from "@anneal/git";
import type { CompleteReport, Policy, ReviewedFinding, ReviewOutput, TrackedFinding, Verdict } from "@anneal/types";
import { SEVERITIES } from "@anneal/types/scales";
import { searchOf } from "./secrets/commit-secrets.ts";
import { withSnippets } from "./snippets.ts";
import { type Watched, watched } from "./watched.ts";

export interface ReviewArgs {
  change: Change;
  /** Where the commits of the change are, if it has any: each of them is searched for secrets. */
  repo?: Repo;
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
  const search = historyOf(args);
  const reviewing = reviewer.review(change, args.signal, args.onProgress);
  const answer = await reviewing.finally(search.over);
  const { findings, verdict, summary, notes } = await judged(answer, change, policy, reviewer, search);
  return {
    schemaVersion: 1,
    base: change.bounds.base,
    head: change.bounds.head,
    policy: policy.name,
    verdict: verdict.result,
    requirementsJudged: answer.report.status === "complete" && reviewer.requirements === "judged",
    summary,
    findings: findings.map(shown).sort(inReadingOrder),
    coverage: answer.coverage,
    ...(notes.length > 0 ? { notes } : {}),
    reviewer: { agent: reviewer.name, model: answer.model ?? null },
    usage: answer.usage,
    durationMs: clock.now() - startedAt,
  };
}

interface Judged {
  findings: TrackedFinding[];
  verdict: Verdict;
  summary: string;
  notes: string[];
}

type Search = ReturnType<typeof searchOf>;

/** What is not committed has no commits of its own. */
function historyOf({ repo, change: { bounds }, signal }: ReviewArgs): Search {
  if (bounds.headKind === "commit" && repo !== undefined) return searchOf(repo, bounds, signal);
  return { over: async () => {}, foundIn: async () => ({ secrets: [], notes: [] }) };
}

async function judged(
  answer: ReviewAnswer,
  change: Watched,
  policy: Policy,
  reviewer: Reviewer,
  search: Search,
): Promise<Judged> {
  const { report, coverage } = answer;
  if (report.status === "inconclusive") return inconclusive(report.reason, []);
  const located: CompleteReport = { ...report, findings: await withSnippets(report.findings, change) };
  const seen = { regions: change.regions(), head: change.bounds.head, round: 1, standing: [], renames: {} };
  const named = track([], { ...seen, report: located, lastFix: undefined });
  const history = await search.foundIn({ findings: named, rounds: [] });
  const notes = [...report.notes, ...history.notes];
  const requirementsJudged = reviewer.requirements === "judged";
  const { findings, verdict } = assess(policy, [], {
    ...seen,
    report: located,
    lastFix: undefined,
    requirementsJudged,
    secrets: history.secrets,
  });
  if (verdict.result === "fail") {
    // Low scores and a bare rejection block as well: what blocks is shown, whoever said it.
    const own = verdict.blocking.filter(isJudgement);
    const all =
      own.length === 0
        ? findings
        : track(findings, { ...seen, report: { ...located, findings: own }, lastFix: undefined });
    return {
      findings: all.map((entry) => ({ ...entry, lifecycle: "new" })),
      verdict,
      summary: summaryOf(verdict, report.summary),
      notes,
    };
  }
  const unseen = verdict.result === "pass" ? unseenIn(coverage) : undefined;
  if (unseen !== undefined) return inconclusive(unseen, findings, notes);
  if (verdict.result === "pass" && policy.pass.requirements === "judged" && !requirementsJudged) {
    const reason = `nothing blocks, but ${reviewer.name} does not judge requirements, which ${policy.name} needs`;
    return inconclusive(`${reason}: use an agent as reviewer, or let a person approve`, findings, notes);
  }
  return { findings, verdict, summary: summaryOf(verdict, report.summary), notes };
}

function summaryOf(verdict: Verdict, summary: string): string {
  return `${verdict.reason}. ${summary}`.trim();
}

function inconclusive(reason: string, findings: TrackedFinding[], notes: string[] = []): Judged {
  return { findings, verdict: { result: "inconclusive", reason }, summary: reason, notes };
}

/** Worst first, then by location: the order of the rounds means nothing to a reader. */
function inReadingOrder(a: ReviewedFinding, b: ReviewedFinding): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    compare(a.file ?? "", b.file ?? "") ||
    (a.line ?? 0) - (b.line ?? 0)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function shown({ fingerprint, finding, origin, lifecycle }: TrackedFinding): ReviewedFinding {
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
    ...(finding.seenBy === undefined ? {} : { seenBy: finding.seenBy }),
    ...(finding.verification === undefined ? {} : { verification: finding.verification }),
  };
}
