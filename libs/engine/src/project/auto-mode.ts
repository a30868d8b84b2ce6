import type { FeatureEntry } from "@anneal/adapters/features";
import type { LoopState } from "@anneal/types";
import { UsageError } from "../errors.ts";
import { Parked } from "../loop-engine.ts";
import { type Candidate, findCycle, nextToStart } from "../schedule.ts";
import type { Runtime } from "./runtime.ts";

export interface AutoOptions {
  /** The features to run; without them all that wait in the backlog. Loops that were interrupted go on in any case. */
  only?: readonly string[];
  limit: number;
  /** Pause after so many failures in a row; a run of named features does not pause. */
  pauseAfter?: number;
  signal: AbortSignal;
}

export interface AutoResult {
  settled: Map<string, LoopState>;
  /** Features that could not run at all, and why. */
  broken: Map<string, Error>;
  blocked: { id: string; because: string }[];
  paused: boolean;
  /** Features that ran only because another process asked for them. */
  forOthers: Set<string>;
}

export function emptyResult(): AutoResult {
  return { settled: new Map(), broken: new Map(), blocked: [], paused: false, forOthers: new Set() };
}

/** Runs features as dependencies and the limit allow, until nothing is left that could start. */
export async function runFeatures(runtime: Runtime, options: AutoOptions): Promise<AutoResult> {
  const result = emptyResult();
  const running = new Map<string, Promise<void>>();
  let failures = 0;
  options.signal.addEventListener("abort", () => runtime.stop(), { once: true });
  refuseUnknown(options.only, await runtime.features.list());
  await runtime.mailbox.empty();
  for (;;) {
    const news = runtime.mailbox.changed();
    const stop = options.signal.aborted || result.paused;
    const items = stop ? [] : await candidates(runtime, options, result, new Set(running.keys()));
    const { start, blocked } = nextToStart(items, options.limit);
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
          result.broken.set(id, error instanceof Error ? error : new Error(String(error)));
          runtime.mailbox.answered(id);
          failures += 1;
        },
      );
      running.set(
        id,
        work.finally(() => running.delete(id)),
      );
    }
    if (running.size === 0) return result;
    await Promise.race([...running.values(), news]);
    if (options.pauseAfter !== undefined && failures >= options.pauseAfter) result.paused = true;
  }
}

async function candidates(
  runtime: Runtime,
  { only }: AutoOptions,
  result: AutoResult,
  running: ReadonlySet<string>,
): Promise<Candidate[]> {
  const entries = await runtime.features.list();
  const interrupted = new Set(runtime.interrupted());
  const asked = new Set(runtime.mailbox.asked());
  return entries.map((entry): Candidate => {
    const { id } = entry;
    const feature = "feature" in entry ? entry.feature : undefined;
    const common = { id, dependsOn: feature?.dependencies ?? [], priority: feature?.priority ?? 2 };
    if (running.has(id)) return { ...common, state: "running" };
    if (feature === undefined || result.broken.has(id)) return { ...common, state: "stuck" };
    // What had begun already goes on before anything new, and waits for nobody.
    if (interrupted.has(id)) return { id, dependsOn: [], priority: Number.NEGATIVE_INFINITY, state: "waiting" };
    if (isDone(feature.status)) {
      runtime.mailbox.answered(id);
      return { ...common, state: "done" };
    }
    const wanted = only?.includes(id) ?? feature.status === "backlog";
    if (asked.has(id) && !wanted) result.forOthers.add(id);
    const may = asked.has(id) || (wanted && !result.settled.has(id));
    return { ...common, state: may ? "waiting" : "stuck" };
  });
}

/** Features that wait for each other are told so, instead of that the other is not done. */
function withCircles(blocked: AutoResult["blocked"], items: readonly Candidate[]): AutoResult["blocked"] {
  const held = new Set(blocked.map(({ id }) => id));
  const circle = findCycle(items.filter((item) => held.has(item.id)));
  if (circle === null) return blocked;
  const because = `they wait for each other: ${circle.join(" → ")}`;
  return blocked.map((one) => (circle.includes(one.id) ? { ...one, because } : one));
}

/** Names that no feature has are a mistake of the person, told before anything starts. */
export function refuseUnknown(only: readonly string[] | undefined, entries: readonly FeatureEntry[]): void {
  const missing = only?.find((id) => !entries.some((entry) => entry.id === id));
  if (missing !== undefined) throw new UsageError(`there is no feature ${missing}; anneal status lists them`);
}

function isDone(status: string | undefined): boolean {
  return status === "verified" || status === "completed";
}

/** A loop that ended or waits without a pass; waiting for an approval is not a failure. */
export function isFailure(state: LoopState): boolean {
  if (state.stage === "ended") return state.outcome === "failed" || state.outcome === "blocked";
  return (
    state.stage === "waiting-for-human" && !["approval", "requirements-not-judged", "paused"].includes(state.reason)
  );
}
