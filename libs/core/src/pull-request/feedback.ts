import type { AnalyzedFeedback, CompleteReport, Finding, LoopEvent } from "@anneal/types";
import { answerKey, type FindingSource, ruleOf } from "../loop/request-source.ts";
import { analysisOf, askedFor, noteOf } from "./analysis.ts";
import { type ChecksState, checksState, failingChecks, stuckChecks } from "./checks.ts";
import { type FeedbackReview, type FeedbackRules, type ForgeFeedback, isAuthorised } from "./heard.ts";
import { type RemarkContext, sortRemark } from "./remark.ts";
import { cleaned, headline, nameText } from "./words-of-others.ts";

type FeedbackReceived = Extract<LoopEvent, { type: "feedback-received" }>;

/** A pull request's comments, reviews and checks as one review of its head. */
export interface Feedback extends Omit<FeedbackReceived, "type" | "at"> {
  report: CompleteReport;
  checks: ChecksState;
  analysis: AnalyzedFeedback;
}

/** What people and checks say about the head, from those whose word counts, as far as we have not answered it. */
export function readFeedback(feedback: ForgeFeedback, rules: FeedbackRules = {}): Feedback {
  const said = wordsOn(feedback, rules).map(sorted);
  const findings = [...said.flatMap(({ finding }) => finding ?? []), ...failingChecks(feedback)];
  const approval = approvalOf(feedback, rules);
  const checks = checksState(feedback, rules);
  const notes = [...said.flatMap(({ note }) => note ?? []), ...blocked(feedback), ...passedOver(feedback, rules)];
  const report: CompleteReport = {
    status: "complete",
    claim: approval.objects.length > 0 ? "fail" : approval.approves.length > 0 ? "pass" : null,
    findings,
    summary: summaryOf(findings, said.length, approval, checks),
    rulings: [],
    notes,
  };
  return {
    head: feedback.pull.head.sha,
    report,
    state: stateOf(feedback, approval),
    checks,
    analysis: analysisOf(report),
  };
}

interface Words extends RemarkContext {
  source: FindingSource;
  author: string;
  text: string;
  file?: string | undefined;
  line?: number | undefined;
  /** Somebody else has spoken after it in its thread. */
  followed: boolean;
}

/** Everything that asks to be read: by authorised authors, not our own, not resolved, not answered. */
function wordsOn(heard: ForgeFeedback, rules: FeedbackRules): Words[] {
  const answered = new Set(heard.comments.flatMap(({ key }) => (key === null ? [] : [key])));
  const demands = new Set(heard.reviews.filter((r) => r.state === "changes_requested").map(({ id }) => id));
  const counts = (one: { author: string; isBot: boolean; key: string | null }) =>
    one.key === null && isAuthorised(heard, one, rules);
  const comments = heard.comments
    .filter((comment) => counts(comment) && comment.thread?.resolved !== true)
    .map(({ id, kind, author, body, file, line, reviewId }): Words => {
      const on = kind === "line" ? "line" : "whole";
      const of = kind === "line" ? "line" : "comment";
      const demanded = reviewId !== null && demands.has(reviewId);
      const followed = spokenAfter(heard, id, author);
      return { source: { of, id }, author, text: body, file, line, on, demanded, followed };
    });
  const reviews = heard.reviews
    .filter((review) => counts(review) && review.state !== "dismissed" && !takenBack(heard, review))
    .filter((review) => review.body.trim() !== "" || (demands.has(review.id) && saysNothing(heard, review)))
    .map(({ id, author, body }): Words => {
      const place = { on: "whole", demanded: demands.has(id), followed: false } as const;
      return { source: { of: "review", id }, author, text: body, ...place };
    });
  return [...comments, ...reviews].filter((words) => !answered.has(answerKey(ruleOf(words.source, words.text))));
}

function spokenAfter({ comments }: ForgeFeedback, id: number, author: string): boolean {
  const at = comments.findIndex((comment) => comment.id === id);
  const thread = comments[at]?.thread;
  if (thread === undefined || thread === null) return false;
  return comments.slice(at + 1).some((later) => later.thread?.id === thread.id && later.author !== author);
}

/** Who approves later has got what an earlier review asked for. */
function takenBack({ reviews }: ForgeFeedback, review: FeedbackReview): boolean {
  const later = reviews.slice(reviews.indexOf(review) + 1);
  return later.some(({ author, state }) => author === review.author && state === "approved");
}

function saysNothing({ comments }: ForgeFeedback, review: FeedbackReview): boolean {
  return !comments.some(({ reviewId }) => reviewId === review.id);
}

interface Sorted {
  finding?: Finding;
  note?: string;
}

const TEXT_CHARS = 8_000;

function sorted(words: Words): Sorted {
  const { source, text, file, line } = words;
  const author = nameText(words.author);
  const rule = ruleOf(source, text);
  const remark = sortRemark(text.slice(0, 4 * TEXT_CHARS), words);
  const shown = cleaned(text, TEXT_CHARS);
  switch (remark.want) {
    case "nothing":
      return {};
    case "answer":
      return words.followed ? {} : { note: noteOf("question", rule, author, shown) };
    case "decision": {
      const reason = shown === "" ? "asks for changes without saying which" : shown;
      return { note: noteOf("decision", rule, author, reason) };
    }
    case "change":
      return {
        finding: {
          rule,
          category: remark.category,
          severity: remark.severity,
          title: headline(shown) || "A change is asked for",
          description: shown,
          impact: askedFor(author),
          ...(remark.suggestion === undefined ? {} : { suggestion: cleaned(remark.suggestion, TEXT_CHARS) }),
          ...(file === undefined ? {} : { file }),
          ...(file === undefined || line === undefined ? {} : { line }),
        },
      };
  }
}

interface Approval {
  approves: string[];
  objects: string[];
  /** Approvals of an older head. */
  stale: string[];
}

/** Each reviewer's last review. An approval holds for its head alone; an objection holds until it is taken back. */
function approvalOf(heard: ForgeFeedback, rules: FeedbackRules): Approval {
  const last = new Map<string, FeedbackReview>();
  for (const review of heard.reviews) {
    const decides = review.state !== "commented" && review.key === null && isAuthorised(heard, review, rules);
    if (decides) last.set(review.author, review);
  }
  const words = [...last.values()];
  const names = (of: (review: FeedbackReview) => boolean) => words.filter(of).map(({ author }) => nameText(author));
  const approved = (review: FeedbackReview) => review.state === "approved";
  const current = ({ commit }: FeedbackReview) => commit === heard.pull.head.sha;
  return {
    approves: names((review) => approved(review) && current(review)),
    objects: names((review) => review.state === "changes_requested"),
    stale: names((review) => approved(review) && !current(review)),
  };
}

function stateOf({ pull }: ForgeFeedback, { approves, objects }: Approval): Feedback["state"] {
  if (pull.state !== "open") return pull.state;
  return approves.length > 0 && objects.length === 0 ? "approved" : "open";
}

function blocked(heard: ForgeFeedback): string[] {
  const conflict = heard.pull.state === "open" && heard.pull.mergeability === "conflict";
  const reasons = [...(conflict ? ["the branch conflicts with its base"] : []), ...stuckChecks(heard)];
  return reasons.map((reason) => `blocked: ${reason}`);
}

/** What was not read is noted, without its words. */
function passedOver(heard: ForgeFeedback, rules: FeedbackRules): string[] {
  const strangers = [...heard.comments, ...heard.reviews].filter(
    (one) => one.key === null && !isAuthorised(heard, one, rules),
  );
  const names = [...new Set(strangers.map(({ author }) => nameText(author)))];
  const { stale } = approvalOf(heard, rules);
  return [
    ...(names.length === 0
      ? []
      : [
          `not read: ${strangers.length} ${strangers.length === 1 ? "comment" : "comments"} by ${listed(names)}, whose comments do not count here`,
        ]),
    ...(stale.length === 0 ? [] : [`not counted: the approval by ${listed(stale)}, which is of an older commit`]),
  ];
}

function summaryOf(findings: readonly Finding[], said: number, approval: Approval, checks: ChecksState): string {
  const parts = [
    findings.length === 0 ? "no change is asked for" : `${findings.length} to address`,
    `${said} unanswered remarks`,
    checks === "none" ? "no checks" : `checks ${checks}`,
  ];
  if (approval.approves.length > 0) parts.push(`approved by ${listed(approval.approves)}`);
  if (approval.objects.length > 0) parts.push(`changes requested by ${listed(approval.objects)}`);
  return `Pull request: ${parts.join("; ")}.`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(", ");
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}
