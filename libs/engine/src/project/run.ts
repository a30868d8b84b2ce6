import { randomUUID } from "node:crypto";
import type { Clock } from "@anneal/adapters";
import { isAtRest } from "@anneal/core";
import type { Cast } from "../assemble.ts";
import { Follower, ticks } from "../history/follow.ts";
import { itemOf, keyOfRow } from "../history/item-key.ts";
import { currentLoop, historyOf } from "../history/loop-history.ts";
import type { LoopNotification } from "../history/notification.ts";
import type { RunOverrides } from "../history/run-overrides.ts";
import type { ProjectStore, StartMessage } from "../history/store-log.ts";
import type { Kinds } from "../items/kind.ts";
import { kindsOf } from "../kinds/kinds.ts";
import { FeedbackListener } from "../kinds/pull-request/feedback-listener.ts";
import { type OwnerNote, ownerNote } from "../log/index.ts";
import { type Candidate, nextToStart } from "../loop/schedule.ts";
import { projectToWrite } from "../repository/project-at.ts";
import { rowBehind, stillUnwritten, untilWritten } from "../signals/catch-up.ts";
import { projectParts } from "../workspaces/project-parts.ts";
import { type AutoResult, emptyResult, listed, refuseUnknown, runItems, whyStuck } from "./auto-mode.ts";
import { Runtime } from "./runtime.ts";
import type { RuntimeOptions } from "./runtime-options.ts";

export interface RunArgs {
  root: string;
  clock: Clock;
  cast: Partial<Cast>;
  /** A policy and a base for new loops, over what their items say. */
  overrides?: Omit<RunOverrides, "cast">;
  /** Keys of the items to run; without them every feature that waits in the backlog. */
  only?: readonly string[];
  limit: number;
  pauseAfter?: number;
  /** Stays while the forge can still say something about these items, and goes on with what it says. */
  stays?: boolean;
  by: string;
  signal: AbortSignal;
  onEvent: (notification: LoopNotification) => void;
  onSeen?: NonNullable<RuntimeOptions["onSeen"]>;
  onProgress?: NonNullable<RuntimeOptions["onProgress"]>;
  onTrouble: NonNullable<RuntimeOptions["onTrouble"]>;
  /** Another process owns the project: it does the work, and this one watches. */
  onOtherOwner: (owner: OwnerNote | null) => void;
}

const LOOK_MS = 1_000;
const NOT_OURS = "the process that runs the loops could not write them; see its output";

/** Runs items: as the owner of the project, or else through the owner, whose work goes on here if it leaves. */
export async function run(args: RunArgs): Promise<AutoResult> {
  const own = await openOwned(args);
  if (own !== null) return await runOwned(own, args);
  const repo = await projectToWrite(args.root);
  const { clock } = args;
  args.onOtherOwner(ownerNote(repo));
  const parts = await projectParts(repo, { clock });
  try {
    return await runThroughOwner(args, parts.store, kindsOf(parts));
  } finally {
    parts.store.close();
  }
}

function openOwned({
  root,
  clock,
  cast,
  overrides,
  only,
  stays,
  onEvent,
  onTrouble,
  ...handlers
}: RunArgs): Promise<Runtime | null> {
  const { onSeen, onProgress } = handlers;
  const heard = { ...(onSeen === undefined ? {} : { onSeen }), ...(onProgress === undefined ? {} : { onProgress }) };
  const optional = { ...(overrides === undefined ? {} : { overrides }), ...heard };
  // Who listens to the forge stays, as who runs all that waits.
  const scope = only === undefined || stays === true ? {} : { only };
  const own = { isMeant: (key: string) => isMeant(key, only), ...scope };
  return Runtime.open({ root, clock, cast, onEvent, onTrouble, ...own, ...optional });
}

/** What a command names is for the items that it was asked for, of which features need not be named. */
function isMeant(key: string, only: readonly string[] = []): boolean {
  return only.length === 0 ? itemOf(key).kind === "feature" : only.includes(key);
}

async function runOwned(runtime: Runtime, args: RunArgs): Promise<AutoResult> {
  try {
    const result = await runItems(runtime, args);
    const rest = args.only?.filter((id) => !result.settled.has(id) && !result.broken.has(id)) ?? [];
    // The forge may have had the last word on a loop that rested.
    const heard = args.stays === true ? result.settled.keys() : [];
    for (const id of args.signal.aborted ? [] : [...rest, ...heard]) {
      const row = currentLoop(runtime.store, id);
      if (row !== null) result.settled.set(id, historyOf(runtime.store, row).state);
    }
    const unwritten = await stillUnwritten(runtime.store, runtime.kinds, result.settled.keys());
    return { ...result, unwritten, unheard: runtime.unheard() };
  } finally {
    await runtime.close();
  }
}

/** Asks the owner for items and watches until they have settled. */
async function runThroughOwner(args: RunArgs, store: ProjectStore, kinds: Kinds): Promise<AutoResult> {
  const { clock, signal } = args;
  const items = await listed(kinds, args.only ?? [], args.only === undefined ? "all" : "named");
  refuseUnknown(args.only, items);
  const waiting = items.filter(({ key, readiness }) => readiness === "backlog" && itemOf(key).kind === "feature");
  const only = args.only ?? waiting.map(({ key }) => key);
  const follower = new Follower(store);
  const since = store.lastSeq();
  const requests = new Map(only.map((key) => [key, ask(store, key, args)]));
  for await (const _ of ticks(store, { clock, signal, everyMs: LOOK_MS })) {
    const result = outcome(store, await listed(kinds, only, "named"), { requests, since, stays: args.stays === true });
    for (const notification of follower.news()) if (only.includes(notification.item)) args.onEvent(notification);
    if (result !== null) {
      await untilWritten(store, result.settled.keys(), clock);
      const behind = [...result.settled.keys()].filter((key) => rowBehind(store, key) !== null);
      return { ...result, unwritten: new Map(behind.map((key) => [key, NOT_OURS])) };
    }
    const own = await openOwned(args);
    if (own !== null) return await runOwned(own, { ...args, only });
  }
  return emptyResult();
}

function ask(store: ProjectStore, item: string, { by, cast, overrides }: RunArgs): string {
  const id = randomUUID();
  const body: StartMessage = { kind: "start", item, by, overrides: { ...overrides, cast } };
  store.post({ id, loop: null, body });
  return id;
}

type Items = Awaited<ReturnType<typeof listed>>;

/** What became of the requests, once everything has settled; null before that. */
function outcome(
  store: ProjectStore,
  items: Items,
  { requests, since, stays }: { requests: ReadonlyMap<string, string>; since: number; stays: boolean },
): AutoResult | null {
  const result = emptyResult();
  const unheard = new Set(store.takeInbox().map(({ id }) => id));
  const pending = [...requests].filter(([, message]) => unheard.has(message)).map(([key]) => key);
  const active = new Set(store.loops({ open: true }).flatMap((row) => (isAtRest(row.stage) ? [] : [keyOfRow(row)])));
  const done = new Set(items.filter(({ readiness }) => readiness === "done").map(({ key }) => key));
  for (const key of requests.keys()) {
    if (active.has(key)) return null;
    if (pending.includes(key)) continue;
    const row = currentLoop(store, key);
    if (stays && row !== null && FeedbackListener.listensTo(row)) return null;
    const begun = row !== null && (row.stage !== "ended" || row.lastSeq > since || done.has(key));
    if (begun) result.settled.set(key, historyOf(store, row).state);
    else result.broken.set(key, new Error("the process that runs the loops could not start it; see its output"));
  }
  const candidates = items.map(({ key, dependsOn, damage }): Candidate => {
    const waits = pending.includes(key) ? "waiting" : "stuck";
    const state = done.has(key) ? "done" : active.has(key) ? "running" : waits;
    return { id: key, dependsOn, priority: 2, state, ...whyStuck(undefined, damage) };
  });
  const { start, blocked } = nextToStart(candidates, Number.POSITIVE_INFINITY);
  if (start.length > 0 || (blocked.length > 0 && active.size > 0)) return null;
  return { ...result, blocked };
}
