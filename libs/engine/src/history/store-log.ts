import { withUsage } from "@anneal/core/agents";
import type { LoopEvent, Policy } from "@anneal/types";
import type { Discretion } from "../log/discretion.ts";
import type { Store } from "../log/index.ts";
import type { Word } from "../loop/engine.ts";
import type { LoopLog } from "../loop/loop-engine.ts";
import { type LoopSummary, summaryOf } from "./summary.ts";
import type { Wish } from "./wish.ts";

/** The log of a project. */
export type ProjectStore = Store<LoopEvent, LoopSummary>;

/** A message to a loop, as it lies in the inbox. */
export interface WordMessage {
  kind: "word";
  word: Word;
}

/** A message to the owner: run this item. */
export interface StartMessage {
  kind: "start";
  /** Its key. */
  item: string;
  by: string;
  wish?: Wish;
}

export interface LoggedLoop {
  loopId: string;
  kind: string;
  item: string;
  title: string;
  branch: string | null;
  policy: Policy;
}

/** A loop's log in the project's store. */
export interface StoreLog extends LoopLog {
  /** The number of the event that was appended last. */
  lastSeq(): number;
}

export function storeLog(store: ProjectStore, loop: LoggedLoop): StoreLog {
  const of = { kind: loop.kind, item: loop.item };
  const before = store.loop(loop.loopId)?.summary;
  let spent = { costUsd: before?.costUsd ?? 0, tokens: before?.tokens ?? 0 };
  let lastSeq = 0;
  return {
    append(event, state, taking) {
      const now = withUsage(spent, event);
      const entry = { event, stage: state.stage, summary: summaryOf(loop, state, now) };
      const usage = { tokens: now.tokens - spent.tokens, costUsd: now.costUsd - spent.costUsd };
      const used = usage.tokens === 0 && usage.costUsd === 0 ? {} : { usage };
      const took = taking === undefined ? {} : { taking };
      lastSeq = store.append(loop.loopId, [entry], { of, ...took, ...used }).at(-1) ?? lastSeq;
      spent = now;
    },
    words: () =>
      store.takeInbox(loop.loopId).flatMap(({ id, body }) => (isWord(body) ? [{ message: id, word: body.word }] : [])),
    refuse: (message, reason) => store.markTaken([message], store.lastSeq(), reason),
    lastSeq: () => lastSeq,
  };
}

/** The same log, for those who leave messages: nothing that nobody may read is in them. */
export function discreetStore(store: ProjectStore, { event }: Pick<Discretion, "event">): ProjectStore {
  return {
    ...store,
    post: ({ body, ...message }) =>
      store.post({ ...message, body: isWord(body) ? { ...body, word: event(body.word) } : body }),
  };
}

export function isWord(body: unknown): body is WordMessage {
  return typeof body === "object" && body !== null && "kind" in body && body.kind === "word" && "word" in body;
}

export function isStart(body: unknown): body is StartMessage {
  return (
    typeof body === "object" &&
    body !== null &&
    "kind" in body &&
    body.kind === "start" &&
    "item" in body &&
    typeof body.item === "string"
  );
}
