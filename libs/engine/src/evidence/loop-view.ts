import { blocks, openFindings, seenIn } from "@anneal/core";
import { bySeverity, capsOf, isEscalated, nextOf, railOf, seedState, signalsFor } from "@anneal/core/show";
import { policyHash } from "@anneal/core/write";
import type { ApiLoopState, LoopState, Policy } from "@anneal/types";
import { keyOf } from "../history/item-key.ts";
import type { LoopHistory } from "../history/loop-history.ts";
import { progressOf } from "../history/summary.ts";

/** Get the state of a loop, what comes next, and the signals that it takes. */
export function loopView(
  { row, started, policy, state, events, spent }: LoopHistory,
  { now, workspace }: { now: number; workspace: string | null },
): ApiLoopState {
  const { item: ref } = started;
  const { round, maxRounds } = progressOf(policy, state);
  return {
    id: row.loop,
    item: keyOf(ref),
    ref,
    title: row.summary.title,
    policy: { name: policy.name, title: policy.title, hash: policyHash(policy), because: started.because },
    agents: started.agents,
    branch: row.summary.branch,
    workspace,
    base: state.base,
    head: state.head,
    stage: state.stage,
    state: seedState(ref.kind, policy, state),
    ...waitOf(state),
    escalated: isEscalated(state),
    rail: railOf({ kind: ref.kind, policy, state, stages: events.map(({ stage }) => stage) }),
    round,
    maxRounds,
    next: nextOf(policy, state, started.agents),
    signals: signalsFor(ref.kind, policy, state),
    seen: seenIn(row.loop, state),
    caps: capsOf(policy, state, now),
    spent,
    findings: countsOf(policy, state),
    verdict: verdictOf(state),
    notes: state.notes,
    step: state.step,
    pullRequest: state.pr,
    startedAt: state.startedAt,
    lastAt: state.lastAt,
    elapsedMs: Math.max(0, (state.stage === "ended" ? state.lastAt : now) - state.startedAt),
    lastSeq: row.lastSeq,
  };
}

function waitOf(state: LoopState): Pick<ApiLoopState, "backTo" | "reason" | "outcome" | "detail"> {
  const waits = state.stage === "waiting-for-human" ? state : null;
  return {
    backTo: waits?.backTo ?? null,
    reason: waits?.reason ?? null,
    outcome: state.stage === "ended" ? state.outcome : null,
    detail: "detail" in state ? state.detail : "",
  };
}

function countsOf(policy: Policy, { findings }: LoopState): ApiLoopState["findings"] {
  const open = openFindings(findings).map(({ finding }) => finding);
  const blocking = open.filter((finding) => blocks(policy.pass, finding)).length;
  return { open: open.length, blocking, resolved: findings.length - open.length, bySeverity: bySeverity(open) };
}

function verdictOf({ verdict, head, pr }: LoopState): ApiLoopState["verdict"] {
  if (verdict === null) return null;
  const { result, reason } = verdict.verdict;
  return { result, reason, current: verdict.head === head && pr?.mergedHead === undefined };
}
