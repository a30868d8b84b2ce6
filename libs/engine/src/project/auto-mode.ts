import { findCycle } from "@anneal/core";
import type { LoopState, WaitReason } from "@anneal/types";
import { UsageError } from "../errors/errors.ts";
import { itemOf, keyOf } from "../history/item-key.ts";
import type { Kinds, Reach, ScheduledItem } from "../items/kind.ts";
import { Parked } from "../loop/loop-engine.ts";
import { type Candidate, nextToStart } from "../loop/schedule.ts";
import type { Runtime } from "./runtime.ts";
import { type PullRequestWatchOptions, watchOver } from "./watch-pull-requests.ts";

export interface AutoOptions extends PullRequestWatchOptions {
  /** Keys of the items to run; without them every feature that waits in the backlog. Loops that were interrupted go on in any case. */
  only?: readonly string[];
  /** How many at a time; a function is asked before each look. */
  limit: number | (() => number);
  /** Pause after so many failures in a row; a run of named items does not pause. */
  pauseAfter?: number;
  signal: AbortSignal;
  /** Stays even where nothing is left to do, until the signal ends it. */
  resident?: Resident;
}

/** How a run that stays learns what is new, in addition to its inbox. */
export interface Resident {
  /** Whether features of the backlog start by themselves; asked before each look. */
  auto(): boolean;
  /** Settles when it is worth looking again; asked for anew each time. */
  news(): Promise<void>;
  /** Too many failures in a row: nothing starts by itself any more. */
  onPaused(): void;
  /** Called after each successful look at all items. */
  onLooked?(): void;
  /** Called for each item that could not run at all. */
  onBroken(key: string, error: Error): void;
}

export interface AutoResult {
  settled: Map<string, LoopState>;
  /** Items that could not run at all, and why. */
  broken: Map<string, Error>;
  blocked: { id: string; because: string }[];
  paused: boolean;
  /** Items that ran only because another process asked for them. */
  forOthers: Set<string>;
  /** Items whose files do not say what the log says, since they could not be written, and why. */
  unwritten: ReadonlyMap<string, string>;
  /** Items that the forge could not be asked about when it was last tried, and why. */
  unheard: ReadonlyMap<string, string>;
}

export function emptyResult(): AutoResult {
  return {
    settled: new Map(),
    broken: new Map(),
    blocked: [],
    paused: false,
    forOthers: new Set(),
    unwritten: new Map(),
    unheard: new Map(),
  };
}

/** Runs items as dependencies and the limit allow, until nothing is left that could start. */
export async function runItems(runtime: Runtime, options: AutoOptions): Promise<AutoResult> {
  const result = emptyResult();
  const running = new Map<string, Promise<void>>();
  let failures = 0;
  let ended = 0;
  const aborted = new Promise<void>((resolve) => {
    const stop = () => {
      runtime.stop();
      resolve();
    };
    if (options.signal.aborted) stop();
    options.signal.addEventListener("abort", stop, { once: true });
  });
  refuseUnknown(options.only, await listed(runtime.kinds, options.only ?? [], runtime.reach));
  await runtime.inbox.empty();
  const forge = watchOver(runtime, options, result.settled);
  await forge.look();
  for (;;) {
    const news = [runtime.inbox.changed(), ...(options.resident === undefined ? [] : [options.resident.news()])];
    if (options.resident !== undefined) forgetAsked(runtime, result);
    const endedBefore = ended;
    const seen = new Set(runtime.interrupted());
    const stop = options.signal.aborted || result.paused;
    const items = stop ? [] : await candidates(runtime, options, result, new Set(running.keys()));
    options.resident?.onLooked?.();
    const { start, blocked } = nextToStart(items, typeof options.limit === "number" ? options.limit : options.limit());
    if (!stop) result.blocked = withCircles(blocked, items);
    for (const id of start) {
      result.settled.delete(id);
      const work = runtime.run(id).then(
        (state) => {
          result.settled.set(id, state);
          failures = isFailure(state) ? failures + 1 : 0;
        },
        (error: unknown) => {
          if (error instanceof Parked) return;
          const broken = error instanceof Error ? error : new Error(String(error));
          result.broken.set(id, broken);
          options.resident?.onBroken(id, broken);
          runtime.inbox.answered(id);
          failures += 1;
        },
      );
      running.set(
        id,
        work.finally(() => {
          running.delete(id);
          ended += 1;
        }),
      );
    }
    const ahead = stop ? [] : forge.ahead();
    // What came to an end while we looked may let something else start, and a signal may have resumed a loop: then we look again.
    const sentOn = !stop && runtime.interrupted().some((key) => !seen.has(key) && !running.has(key));
    if (ended === endedBefore && !sentOn) {
      const stays = options.resident !== undefined && !options.signal.aborted;
      if (running.size === 0 && ahead.length === 0 && !stays) return result;
      await Promise.race([...running.values(), ...news, ...ahead, ...(stays ? [aborted] : [])]);
    }
    if (options.pauseAfter === undefined || failures < options.pauseAfter) continue;
    if (options.resident === undefined) result.paused = true;
    else options.resident.onPaused();
    failures = 0;
  }
}

async function candidates(
  runtime: Runtime,
  { only, resident }: AutoOptions,
  result: AutoResult,
  running: ReadonlySet<string>,
): Promise<Candidate[]> {
  const interrupted = new Set(runtime.interrupted());
  const asked = new Set(runtime.inbox.asked());
  const named = [...(only ?? []), ...asked, ...interrupted, ...running];
  const items = await listed(runtime.kinds, named, runtime.reach);
  return items.map(({ key, dependsOn, priority, readiness, damage }): Candidate => {
    const common = { id: key, dependsOn, priority, ...whyStuck(result.broken.get(key), damage) };
    if (running.has(key)) return { ...common, state: "running" };
    if (result.broken.has(key)) return { ...common, state: "stuck" };
    // One that was meant is tried all the same: that says what is wrong with it.
    const meant = only?.includes(key) ?? itemOf(key).kind === "feature";
    if (readiness === "damaged") return { ...common, state: meant && !result.settled.has(key) ? "waiting" : "stuck" };
    // What had begun already goes on before anything new, and waits for nobody.
    if (interrupted.has(key)) return { id: key, dependsOn: [], priority: Number.NEGATIVE_INFINITY, state: "waiting" };
    if (readiness === "done") {
      runtime.inbox.answered(key);
      return { ...common, state: "done" };
    }
    const starts = resident === undefined || resident.auto();
    const wanted = only?.includes(key) ?? (starts && readiness === "backlog" && itemOf(key).kind === "feature");
    if (asked.has(key) && !wanted) result.forOthers.add(key);
    const may = asked.has(key) || (wanted && !result.settled.has(key));
    return { ...common, state: may ? "waiting" : "stuck" };
  });
}

/** The message for those that wait for an item that does not run. */
export function whyStuck(broken: Error | undefined, damage: string | undefined): Pick<Candidate, "why"> {
  if (damage !== undefined) return { why: `cannot be read: ${damage}` };
  return broken === undefined ? {} : { why: `could not run: ${broken.message}` };
}

/** What somebody asks for once more is tried once more. */
function forgetAsked(runtime: Runtime, { broken, settled }: AutoResult): void {
  for (const key of runtime.inbox.asked()) {
    broken.delete(key);
    settled.delete(key);
  }
}

type Listed = ScheduledItem & { key: string };

/** The items of every kind, by key. */
export async function listed(kinds: Kinds, named: readonly string[], reach: Reach): Promise<Listed[]> {
  const refs = named.map(itemOf);
  const lists = Object.entries(kinds).map(async ([kind, { entries }]) => {
    const ids = new Set(refs.filter((ref) => ref.kind === kind).map(({ id }) => id));
    return (await entries([...ids], reach)).map((entry) => ({ ...entry, key: keyOf({ kind, id: entry.id }) }));
  });
  return (await Promise.all(lists)).flat();
}

/** Items that wait for each other get that message, instead of that the other is not done. */
function withCircles(blocked: AutoResult["blocked"], items: readonly Candidate[]): AutoResult["blocked"] {
  const held = new Set(blocked.map(({ id }) => id));
  const circle = findCycle(items.filter((item) => held.has(item.id)));
  if (circle === null) return blocked;
  const because = `they depend on each other: ${circle.join(" → ")}`;
  return blocked.map((one) => (circle.includes(one.id) ? { ...one, because } : one));
}

/** Unknown names are a mistake of the person, reported before anything starts. */
export function refuseUnknown(only: readonly string[] | undefined, items: readonly Listed[]): void {
  const missing = only?.find((key) => !items.some((item) => item.key === key));
  if (missing !== undefined)
    throw new UsageError(`there is no ${itemOf(missing).kind} ${itemOf(missing).id}; list them with anneal status`);
}

/** Whether nobody has to do anything about a loop that came to rest, beyond an approval. */
export function isWell(state: LoopState): boolean {
  if (state.stage === "ended") return ["passed", "merged", "accepted"].includes(state.outcome);
  if (state.stage === "waiting-for-human") return isApproval(state.reason);
  return state.stage === "awaiting-feedback";
}

/** Whether a loop waits for no more than a person's yes. */
export function isApproval(reason: string | null): boolean {
  return reason !== null && APPROVALS.includes(reason);
}

const APPROVALS: string[] = ["approval", "requirements-not-judged", "ready-for-human"] satisfies WaitReason[];

/** A loop that ended or waits without a pass; neither waiting for an approval nor a person's pause or stop is a failure. */
function isFailure(state: LoopState): boolean {
  if (state.stage === "ended") return state.outcome === "failed" || state.outcome === "blocked";
  return state.stage === "waiting-for-human" && ![...APPROVALS, "paused"].includes(state.reason);
}
