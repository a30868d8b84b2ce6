import type { Clock } from "@anneal/adapters";
import { type FeatureStore, featureStore } from "@anneal/adapters/features";
import type { Repo } from "@anneal/adapters/git";
import { gateEvents } from "@anneal/core/write";
import type { LoopEvent, LoopState } from "@anneal/types";
import type { Cast } from "../assemble.ts";
import { drive } from "../driver.ts";
import { type Blobs, becomeOwner, type Owner, openBlobs, openStore, ownerNote, wakeUps } from "../embedded/index.ts";
import { UsageError } from "../errors.ts";
import { LoopEngine, Parked } from "../loop-engine.ts";
import { catchUp } from "./catch-up.ts";
import { featureStarted, featureWork, titleOf } from "./feature-loop.ts";
import { type Heard, heedOne } from "./heed.ts";
import { eventsAfterStart, startOf } from "./loop-history.ts";
import { Mailbox } from "./mailbox.ts";
import { projectAt } from "./place.ts";
import { prepareFeature } from "./prepare.ts";
import { projections } from "./projector.ts";
import { type ProjectStore, storeLog } from "./store-log.ts";
import type { Told } from "./told.ts";

export interface RuntimeOptions {
  root: string;
  clock: Clock;
  /** Agents named for this run; for the rest hold those that a loop is bound to, then the settings. */
  cast?: Partial<Cast>;
  /** Told of every event once it is safe: for progress, and for the bus. */
  onEvent?: (told: Told) => void;
  /** Told of what goes wrong beside the loops, such as a file that could not be written. */
  onTrouble?: (item: string, message: string) => void;
}

/** The owner of a project: runs its loops, and is the only one who writes its log. */
export class Runtime {
  readonly store: ProjectStore;
  readonly features: FeatureStore;
  readonly mailbox: Mailbox;
  readonly #options: RuntimeOptions;
  readonly #repo: Repo;
  readonly #blobs: Blobs;
  readonly #owner: Owner;
  readonly #shutdown = new AbortController();
  /** By feature: a run from its first look at the files on. */
  readonly #runs = new Map<string, Promise<LoopState>>();
  /** By loop: an engine that is at work. */
  readonly #engines = new Map<string, LoopEngine>();
  readonly #listening: Promise<void>;

  /** Opens a project, or gives null where another process owns it. */
  static async open(options: RuntimeOptions): Promise<Runtime | null> {
    const repo = await projectAt(options.root);
    // A note that is still there was left by an owner that could not finish its files.
    const killed = ownerNote(repo.root);
    const owner = becomeOwner(repo.root);
    if (owner === null) return null;
    try {
      const features = featureStore(repo.root, { clock: options.clock });
      await features.sweep();
      const store: ProjectStore = openStore(repo.root, { clock: options.clock });
      const blobs = openBlobs(repo.root, { clock: options.clock });
      await catchUp(store, features, blobs, killed === null ? null : Date.parse(killed.startedAt));
      return new Runtime(options, { repo, owner, features, store, blobs });
    } catch (error) {
      owner.release();
      throw error;
    }
  }

  private constructor(
    options: RuntimeOptions,
    parts: { repo: Repo; owner: Owner; features: FeatureStore; store: ProjectStore; blobs: Blobs },
  ) {
    this.#options = options;
    this.#repo = parts.repo;
    this.#owner = parts.owner;
    this.features = parts.features;
    this.store = parts.store;
    this.#blobs = parts.blobs;
    this.mailbox = new Mailbox(this.store, {
      interrupt: (loop) => this.#engines.get(loop)?.interrupt(),
      isAtWork: (loop) => this.#engines.has(loop),
      heed: (loop) => this.#heed(loop),
    });
    this.#listening = this.#listen();
  }

  /** Runs a feature until it has ended or waits for a person: its open loop goes on, else a new one begins. */
  run(id: string): Promise<LoopState> {
    const before = this.#runs.get(id);
    if (before !== undefined) return before;
    const run = this.#run(id).finally(() => this.#runs.delete(id));
    this.#runs.set(id, run);
    return run;
  }

  /** Ids of the features whose loops have work to do: the last owner went away, or a person sent them on. */
  interrupted(): string[] {
    const working = this.store.loops({ open: true }).filter((row) => row.stage !== "waiting-for-human");
    return working.filter((row) => row.kind === "feature").map((row) => row.item);
  }

  /** Stops agents and records that; loops go on at the next start. */
  stop(): void {
    this.#shutdown.abort();
  }

  /** Stops, waits until everything is on record, and lets go of the project. */
  async close(): Promise<void> {
    this.stop();
    const settled = await Promise.allSettled(this.#runs.values());
    await this.#listening;
    this.store.close();
    this.#owner.release();
    const failure = settled.find((one) => one.status === "rejected" && !(one.reason instanceof Parked));
    if (failure?.status === "rejected") throw failure.reason;
  }

  async #run(id: string): Promise<LoopState> {
    const stored = await this.features.get(id);
    if (stored === null) throw new UsageError(`there is no feature ${id}; anneal status lists them`);
    if ("damaged" in stored) throw new UsageError(`feature ${id} cannot be read: ${stored.damaged}`);
    const loops = this.store.loops().filter((row) => row.item === id);
    const open = loops.find((row) => row.stage !== "ended");
    const started = open === undefined ? undefined : startOf(this.store, open.loop);
    const { clock, cast } = this.#options;
    const told = { ...cast, ...this.mailbox.castFor(id) };
    const { signal } = this.#shutdown;
    const args = { repo: this.#repo, features: this.features, blobs: this.#blobs, clock, told, signal };
    const before = started === undefined ? { earlierLoops: loops.length } : { started };
    const { loop, bound } = await prepareFeature(args, stored.feature, before).catch((error: unknown) => {
      throw signal.aborted ? new Parked("the process is shutting down", { cause: error }) : error;
    });
    if (signal.aborted) throw new Parked("the process is shutting down");
    const loopId = open?.loop ?? `${id}~${loops.length + 1}`;
    const { policy, branch } = loop;
    const title = titleOf(stored.feature);
    const log = storeLog(this.store, { loopId, kind: "feature", item: id, title, branch, policy });
    const files = projections(this.features, this.#blobs, { id, title, policy }, this.#troubleWith(id));
    const onEvent = (event: LoopEvent, before: LoopState | null, after: LoopState) => {
      files.write(after);
      this.#tell({ loop: loopId, item: id, title, policy }, { event, before, after, seq: log.lastSeq() });
    };
    const engine = new LoopEngine({ policy, log, clock, shutdown: signal, onEvent });
    const state =
      started === undefined
        ? engine.begin(featureStarted(loop, { loopId, ...bound }))
        : engine.resume(started, eventsAfterStart(this.store, loopId));
    this.#engines.set(loopId, engine);
    this.mailbox.answered(id);
    files.write(state);
    try {
      return await drive(engine, state, featureWork(loop));
    } finally {
      this.#engines.delete(loopId);
      await files.done();
    }
  }

  async #listen(): Promise<void> {
    const { clock } = this.#options;
    try {
      for await (const _ of wakeUps(this.store, { clock, signal: this.#shutdown.signal })) await this.mailbox.empty();
    } catch (error) {
      this.#troubleWith("inbox")(error instanceof Error ? error.message : String(error));
    }
  }

  /** Takes what was said to a loop that is not at work. */
  async #heed(loopId: string): Promise<void> {
    while (!this.#engines.has(loopId)) {
      const row = this.store.loop(loopId);
      const heard = row === null ? null : await heedOne(this.store, this.#options.clock, row);
      if (row === null || heard === null) return;
      const { policy } = startOf(this.store, loopId);
      const { title } = row.summary;
      this.#tell({ loop: loopId, item: row.item, title, policy }, heard);
      if (row.kind !== "feature") continue;
      const feature = { id: row.item, title, policy };
      const files = projections(this.features, this.#blobs, feature, this.#troubleWith(row.item));
      files.write(heard.after);
      await files.done();
    }
  }

  #tell(about: Pick<Told, "loop" | "item" | "title" | "policy">, { event, before, after, seq }: Heard): void {
    this.#options.onEvent?.({ seq, ...about, event, state: after, seed: gateEvents(about.item, before, event, after) });
  }

  #troubleWith(item: string): (message: string) => void {
    return (message) => this.#options.onTrouble?.(item, message);
  }
}
