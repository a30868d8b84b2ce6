import { withUsage } from "@anneal/core/agents";
import type { LoopEvent, Policy } from "@anneal/types";
import type { Store } from "../log/index.ts";
import type { SecretMask } from "../log/secret-mask.ts";
import type { ExternalEvent } from "../loop/engine.ts";
import type { LoopLog } from "../loop/loop-engine.ts";
import type { RunOverrides } from "./run-overrides.ts";
import { type LoopSummary, summaryOf } from "./summary.ts";

/** The log of a project. */
export type ProjectStore = Store<LoopEvent, LoopSummary>;

/** A message to a loop, as it lies in the inbox. */
export interface EventMessage {
  kind: "event";
  event: ExternalEvent;
}

/** A message to the owner: run this item. */
export interface StartMessage {
  kind: "start";
  /** Its key. */
  item: string;
  by: string;
  overrides?: RunOverrides;
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
      store
        .takeInbox(loop.loopId)
        .flatMap(({ id, body }) => (isEventMessage(body) ? [{ message: id, word: body.event }] : [])),
    refuse: (message, reason) => store.markTaken([message], store.lastSeq(), reason),
    lastSeq: () => lastSeq,
  };
}

/** The same log, for those who leave messages: nothing that nobody may read is in them. */
export function maskedStore(store: ProjectStore, { event }: Pick<SecretMask, "event">): ProjectStore {
  return {
    ...store,
    post: ({ body, ...message }) =>
      store.post({ ...message, body: isEventMessage(body) ? { ...body, event: event(body.event) } : body }),
  };
}

export function isEventMessage(body: unknown): body is EventMessage {
  return typeof body === "object" && body !== null && "kind" in body && body.kind === "event" && "event" in body;
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
