import { listen } from "@anneal/adapters/forges";
import { advance, ignoredFeedback, reviewedHead } from "@anneal/core";
import { readFeedback } from "@anneal/core/pull-request";
import type { LoopState, Policy } from "@anneal/types";
import type { LoopHistory } from "../../history/loop-history.ts";
import { type FeedbackReceived, lastFeedback } from "./feedback.ts";
import type { ForgeConnection } from "./forge.ts";

/** What a look at a pull request came to. */
export interface PullRequestNews {
  event: FeedbackReceived;
  /** How long nothing has to be said until that is an answer, too. */
  quietMs: number;
}

/** Whether the loop should get this: it can, and it has not had the same about this head before. */
export function isNews({ state, policy, events }: LoopHistory, { event, quietMs }: PullRequestNews): boolean {
  if (ignoredFeedback(state, event) !== null) return false;
  if (event.state === "merged" || event.state === "closed") return true;
  const before = lastFeedback(events);
  const isNew = before === null ? !isSilent(event) : words(before) !== words(event);
  if (isNew) return true;
  const waited = state.stage === "awaiting-feedback" && event.at - state.lastAt >= quietMs;
  return waited && advance(policy, state, event).stage !== state.stage;
}

/** What the forge says about a loop's pull request now; null where it says nothing. */
export async function newsOf(
  { forge, terms }: ForgeConnection,
  number: number,
  loop: LoopState,
): Promise<Omit<FeedbackReceived, "at"> | null> {
  const feedback = await listen(forge, number, null);
  if (feedback === null) return null;
  const { allow = [], requiredChecks = [] } = terms;
  const { head, report, state, checks } = readFeedback(feedback, { allow, requiredChecks });
  return { type: "feedback-received", head: reviewedHead(loop, head), report, state, checks };
}

/** Whether what the forge says now undoes an approval: a request that was not known then, or a check that has turned red. */
export function revokesApproval(
  policy: Policy,
  state: LoopState,
  before: FeedbackReceived | null,
  now: FeedbackReceived,
): boolean {
  if (now.state === "merged" || now.state === "closed") return false;
  const known = new Set(before?.report.findings.map((finding) => JSON.stringify(finding)));
  const findings = now.report.findings.filter((finding) => !known.has(JSON.stringify(finding)));
  const turnedRed = now.checks === "failing" && before?.checks !== "failing";
  if (findings.length === 0 && !turnedRed) return false;
  return advance(policy, state, now).stage !== state.stage;
}

/** Nobody has said anything about this head yet; checks that run or do not exist are no word. */
function isSilent({ report, state, checks }: FeedbackReceived): boolean {
  const nothing = report.findings.length === 0 && report.notes.length === 0 && report.claim === null;
  return nothing && state === "open" && (checks === "pending" || checks === "none");
}

function words({ head, report, state, checks }: FeedbackReceived): string {
  const { claim, findings, notes } = report;
  return JSON.stringify([head, claim, findings, notes, state, checks]);
}
