import type { Clock } from "@anneal/adapters";
import { type FeatureStore, featureStore } from "@anneal/adapters/features";
import { openRepo, type Repo } from "@anneal/adapters/git";
import { gateEvents, type SeedEvent } from "@anneal/core/write";
import type { LoopEvent, LoopState } from "@anneal/types";
import type { Cast } from "../assemble.ts";
import { drive } from "../driver.ts";
import { type Blobs, becomeOwner, type Owner, openBlobs, openStore, type Store, wakeUps } from "../embedded/index.ts";
import { UsageError } from "../errors.ts";
import { LoopEngine, Parked } from "../loop-engine.ts";
import { featureStarted, featureWork, titleOf } from "./feature-loop.ts";
import { boundOf, type PrepareArgs, prepareFeature } from "./prepare.ts";
import { projectFeature } from "./projector.ts";
import { type LoopSummary, storeLog } from "./store-log.ts";

export interface RuntimeOptions {
  root: string;
  clock: Clock;
  cast: Cast;
  /** Told of every event once it is safe: for progress, and for the bus. */
  onEvent?: (told: Told) => void;
}

/** One thing that happened, as the log has it and in the seeds' own words. */
export interface Told {
  loop: string;
  item: string;
  event: LoopEvent;
  state: LoopState;
  seed: SeedEvent[];
}

interface Running {
  engine: LoopEngine;
  settled: Promise<LoopState>;
}

/** The owner of a project: runs its loops, and is the only one who writes its log. */
export class Runtime {
  readonly store: Store<LoopEvent, LoopSummary>;
  readonly features: FeatureStore;
  readonly #options: RuntimeOptions;
  readonly #repo: Repo;
  readonly #blobs: Blobs;
  readonly #owner: Owner;
  readonly #shutdown = new AbortController();
  readonly #running = new Map<string, Running>();
  readonly #listening: Promise<void>;

  /** Opens a project, or gives null where another process owns it. */
  static async open(options: RuntimeOptions): Promise<Runtime | null> {
    const repo = await openRepo(options.root);
    const owner = becomeOwner(repo.root);
    if (owner === null) return null;
    const features = featureStore(repo.root, { clock: options.clock });
    await features.sweep();
    return new Runtime(options, repo, owner, features);
  }

  private constructor(options: RuntimeOptions, repo: Repo, owner: Owner, features: FeatureStore) {
    this.#options = options;
    this.#repo = repo;
    this.#owner = owner;
    this.features = features;
    this.store = openStore(repo.root, { clock: options.clock });
    this.#blobs = openBlobs(repo.root, { clock: options.clock });
    this.#listening = this.#listen();
  }

  /** Runs a feature until it has ended or waits for a person: its open loop goes on, else a new one begins. */
  async run(id: string): Promise<LoopState> {
    const open = this.openLoop(id);
    const running = open === null ? undefined : this.#running.get(open);
    if (running !== undefined) return await running.settled;
    const stored = await this.features.get(id);
    if (stored === null) throw new UsageError(`there is no feature ${id}; anneal status lists them`);
    if ("damaged" in stored) throw new UsageError(`feature ${id} cannot be read: ${stored.damaged}`);
    const { root, clock, cast } = this.#options;
    const started = open === null ? undefined : this.#startOf(open);
    const prepare: PrepareArgs = { root, repo: this.#repo, features: this.features, blobs: this.#blobs, clock, cast };
    const loop = await prepareFeature(prepare, stored.feature, started);
    const loopId = open ?? this.#newLoop(id);
    const title = titleOf(stored.feature);
    const log = storeLog(this.store, { loopId, kind: "feature", item: id, title, policy: loop.policy });
    const project = this.#projections(id, title, loop.policy);
    const engine = new LoopEngine({
      policy: loop.policy,
      log,
      clock,
      shutdown: this.#shutdown.signal,
      onEvent: (event, before, state) => {
        project.write(state);
        this.#options.onEvent?.({ loop: loopId, item: id, event, state, seed: gateEvents(id, before, event, state) });
      },
    });
    const state =
      started === undefined
        ? engine.begin(featureStarted(loop, { loopId, ...(await boundOf(prepare, stored.feature)) }))
        : engine.resume(started, this.#eventsAfterStart(loopId));
    project.write(state);
    const settled = drive(engine, state, featureWork(loop)).finally(async () => {
      this.#running.delete(loopId);
      await project.done();
    });
    this.#running.set(loopId, { engine, settled });
    return await settled;
  }

  /** The loop of a feature that has not ended, if there is one. */
  openLoop(featureId: string): string | null {
    return this.store.loops({ open: true }).find((row) => row.item === featureId)?.loop ?? null;
  }

  /** Ids of the features whose loops were at work when the last owner went away. */
  interrupted(): string[] {
    const working = this.store.loops({ open: true }).filter((row) => row.stage !== "waiting-for-human");
    return working.filter((row) => row.kind === "feature").map((row) => row.item);
  }

  /** Stops agents, records that, and lets go of the project. Loops go on at the next start. */
  async close(): Promise<void> {
    this.#shutdown.abort();
    const settled = await Promise.allSettled([...this.#running.values()].map((one) => one.settled));
    await this.#listening;
    this.store.close();
    this.#owner.release();
    const failure = settled.find((one) => one.status === "rejected" && !(one.reason instanceof Parked));
    if (failure?.status === "rejected") throw failure.reason;
  }

  async #listen(): Promise<void> {
    for await (const _ of wakeUps(this.store, { clock: this.#options.clock, signal: this.#shutdown.signal })) {
      for (const { loop } of this.store.takeInbox()) if (loop !== null) this.#running.get(loop)?.engine.interrupt();
    }
  }

  /** Projections are written one after another, the latest state last; they never fail the loop. */
  #projections(id: string, title: string, policy: Parameters<typeof projectFeature>[2]["policy"]) {
    let last: Promise<void> = Promise.resolve();
    let waiting: LoopState | null = null;
    const write = (state: LoopState) => {
      waiting = state;
      last = last.then(async () => {
        const next = waiting;
        waiting = null;
        if (next === null) return;
        await projectFeature(this.features, this.#blobs, { id, title, policy, state: next }).catch(() => {});
      });
    };
    return { write, done: () => last };
  }

  #newLoop(item: string): string {
    const before = this.store.loops().filter((row) => row.item === item).length;
    return `${item}~${before + 1}`;
  }

  #startOf(loopId: string): Extract<LoopEvent, { type: "loop-started" }> {
    for (const { event } of this.store.events(loopId)) if (event.type === "loop-started") return event;
    throw new Error(`the log of ${loopId} has no beginning`);
  }

  *#eventsAfterStart(loopId: string) {
    for (const { event, stage } of this.store.events(loopId)) if (event.type !== "loop-started") yield { event, stage };
  }
}
