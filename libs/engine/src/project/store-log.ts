import type { LoopEvent, Policy } from "@anneal/types";
import type { Cast } from "../assemble.ts";
import type { Store } from "../embedded/index.ts";
import type { Word } from "../engine.ts";
import type { LoopLog } from "../loop-engine.ts";
import { type LoopSummary, summaryOf, withUsage } from "./summary.ts";

/** The log of a project. */
export type ProjectStore = Store<LoopEvent, LoopSummary>;

/** A message to a loop, as it lies in the inbox. */
export interface WordMessage {
  kind: "word";
  word: Word;
}

/** A message to the owner: run this feature. */
export interface StartMessage {
  kind: "start";
  feature: string;
  by: string;
  /** Agents that were named for it. */
  cast?: Partial<Cast>;
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
      lastSeq = store.append(loop.loopId, [entry], taking === undefined ? { of } : { of, taking }).at(-1) ?? lastSeq;
      spent = now;
    },
    words: () =>
      store.takeInbox(loop.loopId).flatMap(({ id, body }) => (isWord(body) ? [{ message: id, word: body.word }] : [])),
    refuse: (message) => store.markTaken([message], store.lastSeq()),
    lastSeq: () => lastSeq,
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
    "feature" in body &&
    typeof body.feature === "string"
  );
}
