import { randomUUID } from "node:crypto";
import type { Clock } from "@anneal/adapters";
import { awaitsRuling, refusal } from "@anneal/core";
import type { LoopState, Seen, SignalName, Speaker } from "@anneal/types";
import { ticks } from "../history/follow.ts";
import { keyOf } from "../history/item-key.ts";
import { historyOf } from "../history/loop-history.ts";
import type { EventMessage, ProjectStore } from "../history/store-log.ts";
import type { LoopSummary } from "../history/summary.ts";
import { kindsOf } from "../kinds/kinds.ts";
import { becomeOwner, type LogLoopRow } from "../log/index.ts";
import { SecretMask } from "../log/secret-mask.ts";
import type { ExternalEvent } from "../loop/engine.ts";
import { projectToWrite } from "../repository/project-at.ts";
import { projectParts } from "../workspaces/project-parts.ts";
import { orderAfterKill } from "../workspaces/workspace-rest.ts";
import { applyNextSignal, tipIn, undoHalfDoneMoves } from "./apply-signal.ts";
import { untilWritten, writeFiles } from "./catch-up.ts";

/** How long a word waits for a busy owner before it is left in the inbox. */
const PATIENCE_MS = 10_000;
const LOOK_MS = 1_000;

/** What a person says about a loop. */
export type PersonsSignal =
  | { signal: SignalName; note?: string; seen?: Seen }
  | { fingerprint: string; disposition: PersonsRuling; reason: string }
  /** A finding stays open, and the next fixer gets this text. */
  | { fingerprint: string; tell: string };

export type PersonsRuling = Extract<ExternalEvent, { type: "finding-disposed" }>["disposition"];

export type SignalAnswer =
  /** It is in the log, and this is where it leads. */
  | { result: "taken"; state: LoopState; by: "owner" | "us" }
  /** It is not possible now; nothing changed. */
  | { result: "refused"; reason: string }
  /** It lies in the inbox: the owner takes it when it gets to it. */
  | { result: "queued" };

export interface SignalArgs extends Speaker {
  root: string;
  store: ProjectStore;
  row: LogLoopRow<LoopSummary>;
  clock: Clock;
  newId?: () => string;
  patienceMs?: number;
}

/** Says something to a loop, through its owner or, where nobody owns the project, as its owner for a moment. */
export async function sendSignal(args: SignalArgs, said: PersonsSignal): Promise<SignalAnswer> {
  const { store, row, clock } = args;
  const reason = refusedNow(args, said);
  if (reason !== null) return { result: "refused", reason };
  const id = (args.newId ?? randomUUID)();
  const body: EventMessage = { kind: "event", event: eventOf(said, { id, ...speaking(args), at: clock.now() }) };
  store.post({ id, loop: row.loop, body });
  const deadline = clock.now() + (args.patienceMs ?? PATIENCE_MS);
  const signal = new AbortController().signal;
  for await (const _ of ticks(store, { clock, signal, everyMs: LOOK_MS })) {
    if (isTaken(store, id)) {
      await untilWritten(store, [keyOf({ kind: row.kind, id: row.item })], clock);
      return outcome(args, said, id, "owner");
    }
    if (await applyAsOwner(args)) return outcome(args, said, id, "us");
    if (clock.now() >= deadline) break;
  }
  return { result: "queued" };
}

/** What is kept of a speaker. */
export function speaking({ by, via }: Speaker): Speaker {
  return via === undefined ? { by } : { by, via };
}

function eventOf(said: PersonsSignal, common: Speaker & { id: string; at: number }): ExternalEvent {
  if ("tell" in said) {
    const { fingerprint, tell: reason } = said;
    return { type: "finding-disposed", ...common, fingerprint, disposition: "open", reason };
  }
  if (!("signal" in said)) return { type: "finding-disposed", ...common, ...said };
  return { type: "signalled", ...common, ...said };
}

/** Why the loop as it stands cannot take this, or null. */
function refusedNow({ store, row }: SignalArgs, said: PersonsSignal): string | null {
  const { policy, state, differs } = historyOf(store, row);
  // Its owner makes it wait for a person first, and then applies this.
  if (differs !== null) return null;
  if ("signal" in said) return aboutAnother(row.loop, said) ?? refusal(policy, state, said.signal, said.seen);
  if (state.stage === "ended") return "the loop has ended";
  const entry = state.findings.find(({ fingerprint }) => fingerprint === said.fingerprint);
  if (entry === undefined) return `this loop has no finding ${said.fingerprint}; list its findings with anneal show`;
  if ("tell" in said)
    return entry.disposition.kind === "open"
      ? null
      : `the finding is ${entry.disposition.kind}, so the fixer does not see it`;
  if (entry.disposition.kind === said.disposition) return `the finding is already ${said.disposition}`;
  const settled = !awaitsRuling(entry) && ["fixed", "refuted", "passed-over"].includes(entry.disposition.kind);
  return settled ? `the finding is already ${entry.disposition.kind}` : null;
}

/** Why a word that was said about one loop of an item is not for another one, or null. */
export function aboutAnother(
  loop: string,
  { signal, seen }: Extract<PersonsSignal, { signal: SignalName }>,
): string | null {
  if (seen === undefined || seen.loop === loop) return null;
  return `${signal} was meant for the loop ${seen.loop}, and the current one is ${loop}: check the new state, then send ${signal} again`;
}

function isTaken(store: ProjectStore, id: string): boolean {
  return !store.takeInbox().some((row) => row.id === id);
}

/** Takes every word that waits for the loop; false where another process owns the project. */
async function applyAsOwner({ root, store, row, clock }: SignalArgs): Promise<boolean> {
  const owner = becomeOwner(store);
  if (owner === null) return false;
  try {
    let applied = 0;
    const repo = await projectToWrite(root);
    await undoHalfDoneMoves(repo, store, store.loop(row.loop) ?? row);
    const mask = await SecretMask.of(root);
    while ((await applyNextSignal(store, clock, row, tipIn(repo), mask.event)) !== null) applied += 1;
    const now = store.loop(row.loop);
    if (applied > 0 && now !== null) {
      const parts = await projectParts(repo, { clock, store });
      await orderAfterKill(parts.workspaces, historyOf(store, now), now.summary.branch);
      // The word is in the log; files that cannot be written now are written by the next owner.
      await writeFiles(store, kindsOf(parts), now).catch(() => {});
    }
    return true;
  } finally {
    owner.release();
  }
}

function outcome({ store, row }: SignalArgs, said: PersonsSignal, id: string, by: "owner" | "us"): SignalAnswer {
  const { policy, state } = historyOf(store, row);
  if (state.signals.includes(id)) return { result: "taken", state, by };
  const reason =
    store.inboxAnswer(id).reason ?? ("signal" in said ? refusal(policy, state, said.signal, said.seen) : null);
  return { result: "refused", reason: reason ?? "the loop had moved on before the signal arrived" };
}
