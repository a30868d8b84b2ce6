import { randomUUID } from "node:crypto";
import type { Clock } from "@anneal/adapters";
import type { Speaker } from "@anneal/types";
import { ticks } from "../history/follow.ts";
import { itemOf } from "../history/item-key.ts";
import { historyOf, loopsOf } from "../history/loop-history.ts";
import { type EventMessage, isEventMessage, isStart, type ProjectStore } from "../history/store-log.ts";
import { loopIdOf } from "../items/prepare.ts";
import { untilWritten } from "./catch-up.ts";
import { aboutAnother, type PersonsSignal, type SignalAnswer, speaking } from "./send-signal.ts";

/** The loop of an item that was asked for and has not begun: its workspace is being made ready, or it waits for its turn. */
export function pendingLoop(store: ProjectStore, key: string): string | null {
  if (!pendingStarts(store).includes(key)) return null;
  const loops = loopsOf(store, itemOf(key));
  return loops.some((row) => row.stage !== "ended") ? null : loopIdOf(itemOf(key), loops.length);
}

/** Keys of the items that were asked for and have not begun. */
export function pendingStarts(store: Pick<ProjectStore, "takeInbox">): string[] {
  return store.takeInbox().flatMap(({ body }) => (isStart(body) ? [body.item] : []));
}

/** A signal that is sent before a loop has begun is applied first, before any agent works. */
const EARLY = ["pause", "stop"];

export interface PendingLoopArgs extends Speaker {
  store: ProjectStore;
  item: string;
  loop: string;
  clock: Clock;
  patienceMs?: number;
}

export async function signalPendingLoop(
  { store, item, loop, clock, ...args }: PendingLoopArgs,
  said: PersonsSignal,
): Promise<SignalAnswer> {
  if (!("signal" in said) || !EARLY.includes(said.signal)) {
    const reason = "the loop has not started yet: pause or stop it, or wait until its workspace is ready";
    return { result: "refused", reason };
  }
  const another = aboutAnother(loop, said);
  if (another !== null) return { result: "refused", reason: another };
  const id = randomUUID();
  const body: EventMessage = {
    kind: "event",
    event: { type: "signalled", id, at: clock.now(), ...speaking(args), ...said },
  };
  store.post({ id, loop, body });
  const deadline = clock.now() + (args.patienceMs ?? PATIENCE_MS);
  for await (const _ of ticks(store, { clock, signal: new AbortController().signal, everyMs: LOOK_MS })) {
    if (!store.takeInbox().some((row) => row.id === id)) {
      const row = store.loop(loop);
      const state = row === null ? null : historyOf(store, row).state;
      if (state?.signals.includes(id) === true) {
        await untilWritten(store, [item], clock);
        return { result: "taken", state, by: "owner" };
      }
      return { result: "refused", reason: store.inboxAnswer(id).reason ?? "the loop did not start" };
    }
    if (clock.now() >= deadline) break;
  }
  return { result: "queued" };
}

const PATIENCE_MS = 10_000;
const LOOK_MS = 1_000;

/** Answers what was said to a loop that then could not begin. */
export function refuseSignals(store: ProjectStore, loop: string, reason: string): void {
  const words = store.takeInbox(loop).filter(({ body }) => isEventMessage(body));
  if (words.length === 0) return;
  const ids = words.map(({ id }) => id);
  store.markTaken(ids, store.lastSeq(), reason);
}
