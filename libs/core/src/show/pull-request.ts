import type { ApiPullRequest, Finding, LoopEvent, LoopState, Policy } from "@anneal/types";
import { atLeast } from "../findings/severity-and-category.ts";
import { earned } from "../loop/exits.ts";
import { sourceOf } from "../loop/request-source.ts";
import { analysisOf } from "../pull-request/analysis.ts";
import { type Reckoning, repliesTo } from "../pull-request/replies.ts";

type Feedback = Extract<LoopEvent, { type: "feedback-received" }>;

/** A loop's pull request as its log tells it; null before there is one. */
export function pullRequestOf(policy: Policy, state: LoopState, events: readonly LoopEvent[]): ApiPullRequest | null {
  const { pr } = state;
  if (pr === null) return null;
  const feedback = events.findLast((event): event is Feedback => event.type === "feedback-received") ?? null;
  const link = { number: pr.number, url: pr.url, draft: pr.draft, mergedHead: pr.mergedHead ?? null };
  const waits = state.stage === "waiting-for-human" ? [state.detail] : [];
  if (feedback === null) return { ...link, ...NO_FEEDBACK, needsPerson: waits };
  const { report, checks, head } = feedback;
  const { actionableIssues, questionsToAnswer, requiresHumanDecision } = analysisOf(report);
  const replies = repliesBySource(policy, state, feedback);
  const blocked = report.notes.filter((note) => note.startsWith(BLOCKED)).map((note) => note.slice(BLOCKED.length));
  return {
    ...link,
    state: feedback.state,
    heardAt: feedback.at,
    head,
    current: head === state.head,
    checks: { state: checks, failing: report.findings.filter(isCheck).map(({ title }) => title) },
    reviews: report.claim === "pass" ? "approved" : report.claim === "fail" ? "changes-requested" : "none",
    summary: report.summary,
    requests: actionableIssues.map(({ source, sourceId, author, severity, description, ...one }) => ({
      source,
      sourceId,
      author,
      severity,
      file: one.file ?? null,
      line: one.line ?? null,
      text: description,
      suggestion: one.suggestedAction ?? null,
      reply: replies.get(sourceId) ?? null,
    })),
    // A person answers questions; what an agent drafts for them is in no log.
    questions: questionsToAnswer.map((question) => ({ ...question, reply: null })),
    needsPerson: [...waits, ...requiresHumanDecision.map(({ reason }) => reason), ...blocked],
  };
}

const BLOCKED = "blocked: ";

const NO_FEEDBACK = {
  state: null,
  heardAt: null,
  head: null,
  current: false,
  checks: null,
  reviews: "none",
  summary: "No feedback yet.",
  requests: [],
  questions: [],
} satisfies Partial<ApiPullRequest>;

function isCheck({ rule }: Finding): boolean {
  return sourceOf(rule)?.of === "check";
}

/** What would be answered now, by the comment or review that it answers. */
function repliesBySource(policy: Policy, state: LoopState, { report, head }: Feedback): Map<number, string> {
  if (state.head === null) return new Map();
  const settled = earned(state) && state.head !== head;
  const reckoning: Reckoning = { kind: settled ? "addressed" : "open", head: state.head };
  // Before anything was done there is nothing to say.
  const worked = state.head !== head;
  const became = ({ severity }: Finding) => (worked && atLeast(severity, policy.pass.blocksAt) ? reckoning : null);
  return new Map(
    repliesTo(report, became).flatMap(({ key, body }) => {
      const source = sourceOf(key.replace(/^answer:/, ""));
      return source === null ? [] : [[source.id, body] as const];
    }),
  );
}
