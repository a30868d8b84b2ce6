import type { LoadedSettings } from "@anneal/adapters/files";
import type { ItemRef, LoopState, Policy } from "@anneal/types";
import type { Started } from "../history/loop-history.ts";
import type { RunOverrides } from "../history/run-overrides.ts";
import type { StageWork } from "../loop/driver.ts";
import type { Recorder } from "../loop/recorder.ts";

export interface PrepareRequest {
  overrides: RunOverrides;
  /** The loop that goes on, or how many loops the item has had. */
  before: { started: Started; state: LoopState } | { earlierLoops: number };
  signal: AbortSignal;
  /** Hears the loop's agents. */
  recorder?: Pick<Recorder, "hear">;
}

/** Everything that a loop is made of. */
export interface Prepared {
  title: string;
  branch: string | null;
  policy: Policy;
  /** What a new loop is bound to, whatever the settings say later. */
  bound: Omit<Started, "type" | "at" | "loopId" | "item" | "policy">;
  work: StageWork;
  /** The settings, where those on disk may be the loop's own work. */
  settingsNow?: () => Promise<LoadedSettings>;
}

/** An item as the scheduler sees it. */
export interface ScheduledItem {
  id: string;
  /** Keys of the items that have to be done before. */
  dependsOn: readonly string[];
  /** Lower goes first. */
  priority: number;
  readiness: "backlog" | "done" | "elsewhere" | "damaged";
  /** Of a damaged one: what is wrong, and where. */
  damage?: string;
}

/** The item of a loop, as projections need it. */
export interface About {
  id: string;
  title: string;
  policy: Policy;
}

/** How far a look at items goes: to all that there are, or to those that somebody named and what they wait for. */
export type Reach = "all" | "named";

/** One kind of work item: how it is found, how its loops are made, and which files they leave. */
export interface ItemKind {
  /**
   * The items that exist; `named` are those that somebody asked for, for kinds that are not listed anywhere. With the reach `named`,
   * a kind that may have very many leaves out those that nobody asked for.
   */
  entries(named: readonly string[], reach: Reach): Promise<ScheduledItem[]>;
  prepare(id: string, request: PrepareRequest): Promise<Prepared>;
  /**
   * Writes what the log says into the item's files. Idempotent.
   * `since` is a state whose files are written already: only what came after it has to be.
   */
  project(about: About, state: LoopState, since: LoopState | null): Promise<void>;
  /** Those of the items whose files somebody has moved away or changed, for kinds that write such files again. */
  changedOutside?(ids: readonly string[]): Promise<UnfinishedItem[]>;
}

export interface UnfinishedItem {
  id: string;
  /** What is reported about it, and for which item: several may share a file. */
  notice: { key: string; why: string } | null;
}

export type Kinds = Record<ItemRef["kind"], ItemKind>;
