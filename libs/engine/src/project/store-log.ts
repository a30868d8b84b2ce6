import type { LoopEvent, LoopState } from "@anneal/types";
import type { Store } from "../embedded/index.ts";
import type { Word } from "../engine.ts";
import type { LoopLog } from "../loop-engine.ts";

/** What lists show of a loop without replaying it. It must not grow with the loop. */
export interface LoopSummary {
  title: string;
  policy: string;
  round: number;
  maxRounds: number;
  /** Why it waits or how it ended, in words. */
  detail: string;
  reason: string | null;
  outcome: string | null;
  blockers: number;
  resolved: number;
  costUsd: number;
  startedAt: number;
  lastAt: number;
}

/** A message to a loop, as it lies in the inbox. */
export interface WordMessage {
  kind: "word";
  word: Word;
}

/** A loop's log in the project's store. */
export function storeLog(
  store: Store<LoopEvent, LoopSummary>,
  loop: {
    loopId: string;
    kind: string;
    item: string;
    title: string;
    policy: { name: string; limits: { reviews: number } };
  },
): LoopLog {
  const of = { kind: loop.kind, item: loop.item };
  return {
    append(event, state, taking) {
      const entry = { event, stage: state.stage, summary: summaryOf(loop.title, loop.policy, state) };
      store.append(loop.loopId, [entry], taking === undefined ? { of } : { of, taking });
    },
    words: () =>
      store.takeInbox(loop.loopId).flatMap(({ id, body }) => (isWord(body) ? [{ message: id, word: body.word }] : [])),
    refuse: (message) => store.markTaken([message], store.lastSeq()),
  };
}

export function isWord(body: unknown): body is WordMessage {
  return typeof body === "object" && body !== null && "kind" in body && body.kind === "word" && "word" in body;
}

function summaryOf(
  title: string,
  policy: { name: string; limits: { reviews: number } },
  state: LoopState,
): LoopSummary {
  const open = state.findings.filter((entry) => entry.disposition.kind === "open").length;
  const blocking = state.verdict?.verdict.result === "fail" ? state.verdict.verdict.blocking.length : 0;
  return {
    title,
    policy: policy.name,
    round: state.stage === "reviewing" ? state.rounds.length + 1 : state.rounds.length,
    maxRounds: policy.limits.reviews,
    detail: "detail" in state ? state.detail : "",
    reason: state.stage === "waiting-for-human" ? state.reason : null,
    outcome: state.stage === "ended" ? state.outcome : null,
    blockers: Math.min(blocking, Math.max(open, blocking)),
    resolved: state.findings.length - open,
    costUsd: state.cycle.costUsd,
    startedAt: state.startedAt,
    lastAt: state.lastAt,
  };
}
