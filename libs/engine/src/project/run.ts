import { randomUUID } from "node:crypto";
import type { Clock } from "@anneal/adapters";
import { type FeatureEntry, type FeatureStore, featureStore } from "@anneal/adapters/features";
import type { Cast } from "../assemble.ts";
import { type OwnerNote, openStore, ownerNote } from "../embedded/index.ts";
import { type Candidate, nextToStart } from "../schedule.ts";
import { type AutoResult, emptyResult, refuseUnknown, runFeatures } from "./auto-mode.ts";
import { untilWritten } from "./catch-up.ts";
import { Follower, ticks } from "./follow.ts";
import { currentLoop, historyOf, loopsByItem } from "./loop-history.ts";
import { projectAt } from "./place.ts";
import { Runtime, type RuntimeOptions } from "./runtime.ts";
import type { ProjectStore, StartMessage } from "./store-log.ts";
import type { Told } from "./told.ts";

export interface RunArgs {
  root: string;
  clock: Clock;
  cast: Partial<Cast>;
  /** The features to run; without them all that wait in the backlog. */
  only?: readonly string[];
  limit: number;
  pauseAfter?: number;
  by: string;
  signal: AbortSignal;
  onEvent: (told: Told) => void;
  onTrouble: NonNullable<RuntimeOptions["onTrouble"]>;
  /** Another process owns the project: it does the work, and this one watches. */
  onBeside: (owner: OwnerNote | null) => void;
}

const LOOK_MS = 1_000;

/** Runs features: as the owner of the project, or else through the owner, whose work goes on here if it leaves. */
export async function run(args: RunArgs): Promise<AutoResult> {
  const own = await openOwned(args);
  if (own !== null) return await runOwned(own, args);
  const { root } = await projectAt(args.root);
  args.onBeside(ownerNote(root));
  const store: ProjectStore = openStore(root, { clock: args.clock });
  try {
    return await runThroughOwner(args, store, featureStore(root, { clock: args.clock }));
  } finally {
    store.close();
  }
}

function openOwned({ root, clock, cast, onEvent, onTrouble }: RunArgs): Promise<Runtime | null> {
  return Runtime.open({ root, clock, cast, onEvent, onTrouble });
}

async function runOwned(runtime: Runtime, args: RunArgs): Promise<AutoResult> {
  try {
    const result = await runFeatures(runtime, args);
    const rest = args.only?.filter((id) => !result.settled.has(id) && !result.broken.has(id)) ?? [];
    for (const id of args.signal.aborted ? [] : rest) {
      const row = currentLoop(runtime.store, id);
      if (row !== null) result.settled.set(id, historyOf(runtime.store, row).state);
    }
    return result;
  } finally {
    await runtime.close();
  }
}

/** Asks the owner for features and watches until they have settled. */
async function runThroughOwner(args: RunArgs, store: ProjectStore, features: FeatureStore): Promise<AutoResult> {
  const { clock, signal } = args;
  const entries = await features.list();
  refuseUnknown(args.only, entries);
  const waiting = entries.filter((entry) => "feature" in entry && entry.feature.status === "backlog");
  const only = args.only ?? waiting.map(({ id }) => id);
  const follower = new Follower(store);
  const since = store.lastSeq();
  const wishes = new Map(only.map((id) => [id, ask(store, id, args)]));
  for await (const _ of ticks(store, { clock, signal, everyMs: LOOK_MS })) {
    const result = outcome(store, await features.list(), { wishes, since });
    for (const told of follower.news()) if (only.includes(told.item)) args.onEvent(told);
    if (result !== null) {
      await untilWritten(store, features, result.settled.keys(), clock);
      return result;
    }
    const own = await openOwned(args);
    if (own !== null) return await runOwned(own, { ...args, only });
  }
  return emptyResult();
}

function ask(store: ProjectStore, feature: string, { by, cast }: RunArgs): string {
  const id = randomUUID();
  const body: StartMessage = { kind: "start", feature, by, cast };
  store.post({ id, loop: null, body });
  return id;
}

/** What became of the wishes, once nothing moves any more; null before that. */
function outcome(
  store: ProjectStore,
  entries: readonly FeatureEntry[],
  { wishes, since }: { wishes: ReadonlyMap<string, string>; since: number },
): AutoResult | null {
  const result = emptyResult();
  const unheard = new Set(store.takeInbox().map(({ id }) => id));
  const pending = [...wishes].filter(([, message]) => unheard.has(message)).map(([id]) => id);
  const loops = loopsByItem(store);
  const active = new Set(store.loops({ open: true }).flatMap((row) => (isAtWork(row.stage) ? [row.item] : [])));
  for (const id of wishes.keys()) {
    if (active.has(id)) return null;
    if (pending.includes(id)) continue;
    const row = loops.get(id);
    const begun = row !== undefined && (row.stage !== "ended" || row.lastSeq > since || isDone(entries, id));
    if (begun) result.settled.set(id, historyOf(store, row).state);
    else result.broken.set(id, new Error("the process that owns the project could not start it; its output says why"));
  }
  const items = entries.map((entry) => candidate(entry, pending, active));
  const { start, blocked } = nextToStart(items, Number.POSITIVE_INFINITY);
  if (start.length > 0 || (blocked.length > 0 && active.size > 0)) return null;
  return { ...result, blocked };
}

function candidate(entry: FeatureEntry, pending: readonly string[], active: ReadonlySet<string>): Candidate {
  const { id } = entry;
  const dependsOn = "feature" in entry ? (entry.feature.dependencies ?? []) : [];
  const state = isDone([entry], id) ? "done" : active.has(id) ? "running" : pending.includes(id) ? "waiting" : "stuck";
  return { id, dependsOn, priority: 2, state };
}

function isDone(entries: readonly FeatureEntry[], id: string): boolean {
  const entry = entries.find((one) => one.id === id);
  return entry !== undefined && "feature" in entry && ["verified", "completed"].includes(entry.feature.status ?? "");
}

function isAtWork(stage: string): boolean {
  return stage !== "ended" && stage !== "waiting-for-human";
}
