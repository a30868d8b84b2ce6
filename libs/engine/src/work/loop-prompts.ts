import { lastRound, openFindings, roundsDone } from "@anneal/core";
import {
  certificateSummary,
  findingsDocument,
  type IssueListStyle,
  issueList,
  rejectionReason,
  reviewFileOf,
  revisionContext,
  toFindingsDocument,
  toHistoryEntry,
  toReviewReport,
} from "@anneal/core/write";
import {
  asOneText,
  type ComposedPrompt,
  fixPrompt,
  implementPrompt,
  type ProjectContext,
  type WorkItemText,
  withFreshNonce,
} from "@anneal/prompts";
import type { Finding, LoopState, Policy, TrackedFinding } from "@anneal/types";
import { newNonce } from "../review/nonce.ts";
import { wordsOf } from "../review/words-of.ts";
import { worstFirst } from "./findings-order.ts";

/** What every prompt of a loop may draw on. */
export interface PromptSource {
  policy: Policy;
  workItem: WorkItemText;
  branch: string;
  /** Text of a stored blob. */
  text(blob: string): string;
  context?: ProjectContext;
  /** Reviews that the item had before this loop, as they were written down. */
  earlierReviews?: readonly { round: number; text: string }[];
  /** What the epic asks of all its tickets. */
  epicCoordination?: string;
}

/** The implementer's prompt for the item itself. */
export function implementerPrompt(source: PromptSource, notes: readonly string[]): string {
  const { policy, workItem, context, epicCoordination, earlierReviews = [] } = source;
  const shown = earlierReviews.length > 0 && policy.fixer.gets.includes("all-reviews");
  return text((nonce) =>
    implementPrompt({
      kind: policy.workItem,
      workItem,
      nonce,
      notes: [...notes],
      ...(shown ? { reviews: [...earlierReviews] } : {}),
      ...(context === undefined ? {} : { projectContext: context }),
      ...(epicCoordination === undefined ? {} : { epicCoordination }),
    }),
  );
}

/** A step of the custom pipeline: its instructions are the project's own, the item is what they are about. */
export function stepPrompt(source: PromptSource, step: { name: string; instructions: string }): string {
  // The change has passed its review by now: what earlier attempts got wrong is no business of the step.
  return implementerPrompt({ ...source, earlierReviews: [] }, [
    `This is the step "${step.name}" after the review. ${step.instructions}`,
  ]);
}

/** The fixer's prompt: the policy decides what of this it is handed. */
export function fixerPrompt(source: PromptSource, state: Extract<LoopState, { stage: "fixing" }>): string {
  const { policy, workItem, branch, epicCoordination } = source;
  const last = state.rounds.at(-1);
  const findings = problemsOf(state);
  return text((nonce) =>
    fixPrompt({
      policy,
      workItem,
      branch,
      round: Math.max(1, roundsDone(state)),
      maxRounds: lastRound(policy, state),
      nonce,
      words: wordsOf(policy),
      findings,
      issueList: issueList(
        findings.map((entry) => entry.finding),
        ISSUE_LISTS[policy.reviewer.contract],
      ),
      notes: state.notes,
      ...(epicCoordination === undefined ? {} : { epicCoordination }),
      ...(state.cause === "validation" ? { validationResult: checksSaid(state.problems) } : {}),
      reviews: [...(source.earlierReviews ?? []), ...state.rounds.map((round) => reviewText(source, round))],
      ...(last === undefined
        ? {}
        : {
            summary: certificateSummary(last.report, last.verdict),
            rejectionReason: rejectionReason(last.report, last.verdict),
          }),
      ...workBefore(source, state),
      ...documents(source, state),
    }),
  );
}

/** How each contract's fixer reads issues; with a scorecard or a findings document, only where there is no document. */
const ISSUE_LISTS: Record<Policy["reviewer"]["contract"], IssueListStyle> = {
  "decision-text": "gate",
  "verdict-json": "pull-request",
  "scorecard-json": "pull-request",
  "findings-document": "pull-request",
  "issue-lines": "advisory",
};

/** The open findings, and what blocks without being one: failing checks, refused commits, low scores. */
function problemsOf(state: Extract<LoopState, { stage: "fixing" }>): TrackedFinding[] {
  const open = openFindings(state.findings).sort(worstFirst);
  const tracked = new Set(open.map((entry) => entry.finding.title));
  const others = state.problems.filter((problem) => !tracked.has(problem.title));
  const round = Math.max(1, roundsDone(state));
  const rest = {
    lifecycle: "new",
    origin: { kind: "change" },
    disposition: { kind: "open" },
  } as const;
  return [
    ...others.map((finding, n) => ({
      fingerprint: `check-${n + 1}`,
      finding,
      firstRound: round,
      lastRound: round,
      ...rest,
    })),
    ...open,
  ];
}

function reviewText({ workItem, text: textOf }: PromptSource, round: LoopState["rounds"][number]) {
  return { round: round.number, text: reviewFileOf(workItem.title, round, textOf).markdown };
}

/** What the agent before was asked to do, and what it said about it, where the policy hands over its work at all. */
function workBefore(
  { policy, text: textOf }: PromptSource,
  { asked, outputs }: LoopState,
): { implementationPrompt?: string; previousAgentOutput?: string } {
  if (!policy.fixer.gets.includes("previous-agent-output")) return {};
  const last = outputs.at(-1);
  const said = outputs.filter(({ round }) => round === last?.round).map(({ output }) => textOf(output));
  return {
    ...(asked === null ? {} : { implementationPrompt: textOf(asked) }),
    ...(said.length === 0 ? {} : { previousAgentOutput: said.join("\n\n---\n\n") }),
  };
}

function documents(
  { policy, workItem, branch }: PromptSource,
  state: LoopState,
): { findingsDocument?: string; revisionInstructions?: string; attempts?: string } {
  const round = state.rounds.at(-1);
  if (round === undefined) return {};
  if (policy.fixer.gets.includes("findings-document")) {
    const document = toFindingsDocument({
      storyId: storyId(workItem.id),
      round: round.number,
      reviewedAt: round.reviewedAt,
      branch,
      findings: round.report.findings,
      recommendation: round.report.recommendation,
    });
    return { findingsDocument: findingsDocument(document) };
  }
  const rule = policy.pass.scorecard;
  if (rule === undefined) return {};
  const reports = state.rounds.flatMap(({ number, ...one }) => {
    return toReviewReport({ ...one, ticketId: workItem.id ?? "ticket", revisionCount: number - 1, rule }) ?? [];
  });
  const report = reports.at(-1);
  if (report === undefined) return {};
  const history = reports.map(toHistoryEntry);
  const revision = revisionContext({ originalTicket: workItem.description, report, history });
  if ("error" in revision) return {};
  const attempts = (revision.review_history ?? []).map(
    ({ attempt, status, overall_score: score, blocking_issues_count: blocking }) =>
      `attempt ${attempt}: ${status}, ${score}/100, ${blocking} blocking`,
  );
  return { revisionInstructions: revision.revision_instructions, attempts: attempts.join("\n") };
}

/** What the project's own checks or hooks refused, in full: it is in no review. */
function checksSaid(problems: readonly Finding[]): string {
  return problems.map(({ title, description }) => `${title}\n${description}`).join("\n\n");
}

function storyId(id: string | undefined): string {
  return id !== undefined && /^[\w.-]+$/.test(id) ? id : "branch";
}

function text(build: Parameters<typeof withFreshNonce>[1]): string {
  const composed: ComposedPrompt = withFreshNonce(newNonce, build);
  return asOneText(composed);
}
