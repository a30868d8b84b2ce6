import type { FeatureEntry } from "@anneal/adapters/features";
import type { LoopState } from "@anneal/types";
import { UsageError } from "../errors.ts";
import { Parked } from "../loop-engine.ts";
import { type Candidate, findCycle, nextToStart } from "../schedule.ts";
import type { Runtime } from "./runtime.ts";

export interface AutoOptions {
  /** The features to run; without them all that wait in the backlog or were interrupted. */
  only?: readonly string[];
  limit: number;
  /** Pause after so many failures in a row; a run of named features does not pause. */
  pauseAfter?: number;
  signal: AbortSignal;
}

export interface AutoResult {
  settled: Map<string, LoopState>;
  /** Features that could not run at all, and why. */
  broken: Map<string, string>;
  blocked: { id: string; because: string }[];
  paused: boolean;
}

/** Runs features as dependencies and the limit allow, until nothing is left that could start. */
export async function runFeatures(runtime: Runtime, options: AutoOptions): Promise<AutoResult> {
  const result: AutoResult = { settled: new Map(), broken: new Map(), blocked: [], paused: false };
  const running = new Map<string, Promise<void>>();
  let failures = 0;
  for (;;) {
    const items = await candidates(runtime, options, result, new Set(running.keys()));
    const stop = options.signal.aborted || result.paused;
    const { start, blocked } = nextToStart(items, stop ? 0 : options.limit);
    result.blocked = blocked;
    for (const id of stop ? [] : start) {
      const work = runtime.run(id).then(
        (state) => {
          result.settled.set(id, state);
          failures = isFailure(state) ? failures + 1 : 0;
        },
        (error: unknown) => {
          if (error instanceof Parked) return;
          result.broken.set(id, error instanceof Error ? error.message : String(error));
          failures += 1;
        },
      );
      running.set(
        id,
        work.finally(() => running.delete(id)),
      );
    }
    if (running.size === 0) return result;
    await Promise.race(running.values());
    if (options.pauseAfter !== undefined && failures >= options.pauseAfter) result.paused = true;
  }
}

async function candidates(
  runtime: Runtime,
  { only, signal }: AutoOptions,
  result: AutoResult,
  running: ReadonlySet<string>,
): Promise<Candidate[]> {
  const entries = await runtime.features.list();
  refuseUnknown(only, entries);
  const interrupted = new Set(runtime.interrupted());
  const items = entries.map((entry): Candidate => {
    const feature = "feature" in entry ? entry.feature : undefined;
    const common = { id: entry.id, dependsOn: feature?.dependencies ?? [], priority: feature?.priority ?? 2 };
    if (running.has(entry.id)) return { ...common, state: "running" };
    if (feature === undefined || result.broken.has(entry.id)) return { ...common, state: "stuck" };
    if (isDone(feature.status)) return { ...common, state: "done" };
    const wanted = only?.includes(entry.id) ?? (feature.status === "backlog" || interrupted.has(entry.id));
    const may = wanted && !result.settled.has(entry.id) && !signal.aborted;
    return { ...common, state: may ? "waiting" : "stuck" };
  });
  const cycle = findCycle(items.filter((item) => item.state === "waiting"));
  if (cycle !== null) throw new UsageError(`these features wait for each other: ${cycle.join(" → ")}`);
  return items;
}

function refuseUnknown(only: readonly string[] | undefined, entries: readonly FeatureEntry[]): void {
  const missing = only?.find((id) => !entries.some((entry) => entry.id === id));
  if (missing !== undefined) throw new UsageError(`there is no feature ${missing}; anneal status lists them`);
}

function isDone(status: string | undefined): boolean {
  return status === "verified" || status === "completed";
}

/** A loop that ended or waits without a pass; waiting for an approval is not a failure. */
function isFailure(state: LoopState): boolean {
  if (state.stage === "ended") return state.outcome === "failed" || state.outcome === "blocked";
  return (
    state.stage === "waiting-for-human" && !["approval", "requirements-not-judged", "paused"].includes(state.reason)
  );
}
