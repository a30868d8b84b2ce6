import { advance, unheard } from "@anneal/core";
import type { LoopHistory } from "./loop-history.ts";
import { type FeedbackReceived, lastHeard } from "./pull-requests-heard.ts";

/** What a look at a pull request came to. */
export interface Look {
  event: FeedbackReceived;
  /** Whether any check is known for its head. */
  checked: boolean;
  /** How long nothing has to be said until that is an answer, too. */
  quietMs: number;
}

/** Whether the loop should hear this: it can, and it has not heard the same about this head before. */
export function isNews({ state, policy, events }: LoopHistory, { event, checked, quietMs }: Look): boolean {
  if (unheard(state, event) !== null) return false;
  if (event.state === "merged" || event.state === "closed") return true;
  const before = lastHeard(events);
  const isNew = before === null ? !isSilent(event, checked) : words(before) !== words(event);
  if (isNew) return true;
  const waited = state.stage === "awaiting-feedback" && event.at - state.lastAt >= quietMs;
  return waited && advance(policy, state, event).stage !== state.stage;
}

/** Nobody has said anything about this head yet; checks that run or do not exist are no word. */
function isSilent({ report, state, checks }: FeedbackReceived, checked: boolean): boolean {
  const nothing = report.findings.length === 0 && report.notes.length === 0 && report.claim === null;
  return nothing && state === "open" && (checks === "pending" || (checks === "passing" && !checked));
}

function words({ head, report, state, checks }: FeedbackReceived): string {
  const { claim, findings, notes } = report;
  return JSON.stringify([head, claim, findings, notes, state, checks]);
}
