import type { FeatureStore } from "@anneal/adapters/features";
import { loadSettings } from "@anneal/adapters/files";
import { isAtRest } from "@anneal/core";
import type { ItemRef, LoopEvent, LoopState } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import type { AppendedEvent } from "../history/appended-event.ts";
import { itemOf, keyOf, keyOfRow } from "../history/item-key.ts";
import { eventsAfterStart, historyOf, loopsOf, startOf } from "../history/loop-history.ts";
import { type AboutLoop, notificationOf } from "../history/notification.ts";
import { type ProjectStore, storeLog } from "../history/store-log.ts";
import type { About, Kinds, Prepared, Reach } from "../items/kind.ts";
import { loopIdOf, type ProjectParts } from "../items/prepare.ts";
import { projections } from "../items/projections.ts";
import { kindsOf } from "../kinds/kinds.ts";
import { FeedbackListener } from "../kinds/pull-request/feedback-listener.ts";
import { becomeOwner, type Owner, openTranscripts, type Transcripts, wakeUps } from "../log/index.ts";
import { openMaskedBlobs, SecretMask } from "../log/secret-mask.ts";
import { type DayBudget, dayBudget, dayCapsOf, withinDay } from "../loop/day-budget.ts";
import { drive } from "../loop/driver.ts";
import { LoopEngine, Parked } from "../loop/loop-engine.ts";
import { workMeter } from "../loop/work-meter.ts";
import { projectToWrite } from "../repository/project-at.ts";
import { applyNextSignal, tipIn, undoHalfDoneMoves } from "../signals/apply-signal.ts";
import { catchUp } from "../signals/catch-up.ts";
import { featuresAbout, type OutsideEdits, outsideEdits } from "../signals/outside.ts";
import { OwnerInbox } from "../signals/owner-inbox.ts";
import { refuseSignals } from "../signals/pending-loop.ts";
import { sweepAbandoned } from "../workspaces/abandoned.ts";
import { projectParts } from "../workspaces/project-parts.ts";
import { leaveInOrder } from "../workspaces/workspace-rest.ts";
import { type Bystanders, bystanders } from "./bystanders.ts";
import { progressing } from "./review-progress.ts";
import { ownOverrides, type RuntimeOptions } from "./runtime-options.ts";

/** The owner of a project: runs its loops, and is the only one who writes its log. */
export class Runtime {
  readonly store: ProjectStore;
  readonly features: FeatureStore;
  readonly kinds: Kinds;
  readonly inbox: OwnerInbox;
  /** How far a look at the items has to go: a process that was asked for some looks at no others. */
  readonly reach: Reach;
  readonly #options: RuntimeOptions;
  readonly #owner: Owner;
  readonly #parts: ProjectParts;
  readonly #workedSince: (ms: number) => number;
  readonly #shutdown: AbortController;
  readonly #outside: OutsideEdits;
  readonly #transcripts: Transcripts;
  readonly #mask: SecretMask;
  /** By key: a run from its first look at the files on. */
  readonly #runs = new Map<string, Promise<LoopState>>();
  /** By loop: an engine that is at work. */
  readonly #engines = new Map<string, LoopEngine>();
  /** By loop: words that are being taken while it is not at work. */
  readonly #heeding = new Map<string, Promise<void>>();
  readonly #listening: Promise<void>;
  readonly #listener: FeedbackListener;
  readonly #bystanders: Bystanders;
  #looking: Promise<void> = Promise.resolve();

  /** Opens a project, or gives null where another process owns it. */
  static async open(options: RuntimeOptions): Promise<Runtime | null> {
    const repo = await projectToWrite(options.root);
    const owner = becomeOwner(repo);
    if (owner === null) return null;
    const { clock } = options;
    const shutdown = new AbortController();
    try {
      const mask = await SecretMask.of(repo.root, options);
      const onTrouble = (item: string, message: string) => options.onTrouble?.(item, mask.text(message));
      const blobs = openMaskedBlobs(repo, { clock, mask });
      const parts = { ...(await projectParts(repo, { clock, blobs })), tell: onTrouble, mask };
      const only = options.only && featuresAbout(parts.store, options.only);
      await parts.features.sweep(only);
      await sweepAbandoned(parts.workspaces);
      const kinds = kindsOf(parts);
      const outside = await outsideEdits({ ...parts, root: repo.root, signal: shutdown.signal, onTrouble, only });
      await outside.settled();
      await catchUp(parts, kinds, outside.found);
      return new Runtime(options, parts, { kinds, owner, outside, shutdown });
    } catch (error) {
      shutdown.abort();
      owner.release();
      throw error;
    }
  }

  private constructor(
    options: RuntimeOptions,
    parts: ProjectParts & { mask: SecretMask },
    own: { kinds: Kinds; owner: Owner; outside: OutsideEdits; shutdown: AbortController },
  ) {
    this.#options = options;
    this.reach = options.only === undefined ? "all" : "named";
    this.#owner = own.owner;
    this.#outside = own.outside;
    this.#shutdown = own.shutdown;
    this.#mask = parts.mask;
    this.#transcripts = openTranscripts(parts.repo, parts);
    this.#transcripts.clear();
    this.#parts = parts;
    this.#workedSince = workMeter(parts.store);
    this.features = parts.features;
    this.store = parts.store;
    this.kinds = own.kinds;
    this.inbox = new OwnerInbox(this.store, {
      interrupt: (loop) => this.#engines.get(loop)?.interrupt(),
      isAtWork: (loop) => this.#engines.has(loop),
      applySignals: (loop) => this.#heed(loop),
      onTrouble: (key, message) => this.#troubleWith(key)(message),
    });
    this.#bystanders = bystanders(parts, (item) => this.#troubleWith(item));
    this.#listener = new FeedbackListener({ ...parts, onTrouble: (item, message) => this.#troubleWith(item)(message) });
    this.#listening = this.#listen();
  }

  /** Runs an item until it has ended or waits for a person: its open loop goes on, else a new one begins. */
  run(key: string): Promise<LoopState> {
    const before = this.#runs.get(key);
    if (before !== undefined) return before;
    const run = this.#run(itemOf(key)).finally(() => this.#runs.delete(key));
    this.#runs.set(key, run);
    return run;
  }

  /** Keys of the items whose loops have work to do: the last owner went away, or a person sent them on. */
  interrupted(): string[] {
    return this.store.loops({ open: true }).flatMap((row) => (isAtRest(row.stage) ? [] : [keyOfRow(row)]));
  }

  /** Keys of the items that the forge can still say something about. */
  listening(): string[] {
    return this.#listener.listening();
  }

  /** Keys of those that could not be asked about at the last look, and why. */
  unheard(): Map<string, string> {
    return new Map([...this.#listener.unreachable()].map(([key, why]) => [key, this.#mask.text(why)]));
  }

  /** Asks the forge once about every pull request that rests, and hands on what is new. Gives the keys that it asked about. */
  look(): Promise<string[]> {
    const asked = this.#listener.asked();
    this.#looking = this.#looking.then(async () => {
      if (this.#shutdown.signal.aborted) return;
      await this.#listener.poll();
      await this.inbox.empty();
    });
    return this.#looking.then(() => asked);
  }

  /** Until people were told what they can be told now. */
  told(): Promise<void> {
    return this.#bystanders.told();
  }

  /** Until the forge may be asked again. */
  async untilNextLook(): Promise<void> {
    const { signal } = this.#shutdown;
    await this.#options.clock.sleep(await this.#listener.dueMs(), signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
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
    await this.#looking.catch(() => {});
    await this.#outside.settled();
    await this.#bystanders.close();
    this.store.close();
    this.#owner.release();
    const failure = settled.find((one) => one.status === "rejected" && !(one.reason instanceof Parked));
    if (failure?.status === "rejected") throw failure.reason;
  }

  async #run(item: ItemRef): Promise<LoopState> {
    if (item.kind === "feature") await this.#outside.follow(item.id);
    const key = keyOf(item);
    const kind = this.kinds[item.kind];
    const loops = loopsOf(this.store, item);
    const open = loops.find((row) => row.stage !== "ended");
    const goesOn = open === undefined ? undefined : historyOf(this.store, open);
    if (open !== undefined && (goesOn?.differs ?? null) !== null) {
      await this.#heed(open.loop);
      this.inbox.answered(key);
      return historyOf(this.store, open).state;
    }
    const { clock } = this.#options;
    const { signal } = this.#shutdown;
    const before = goesOn ?? { earlierLoops: loops.length };
    const overrides = this.inbox.overridesFor(key, ownOverrides(this.#options, key));
    const loopId = open?.loop ?? loopIdOf(item, loops.length);
    const { secrets, event: clean, text } = await this.#mask.upToDate();
    const recorder = progressing([loopId, item], this.#transcripts, { ...this.#options, secrets: secrets.all });
    if (goesOn === undefined) this.inbox.keep(key, overrides);
    const prepared = await kind.prepare(item.id, { overrides, before, signal, recorder }).catch((error: unknown) => {
      if (!signal.aborted) {
        this.inbox.answered(key);
        if (goesOn === undefined) refuseSignals(this.store, loopId, "the workspace of the item could not be prepared");
      }
      throw signal.aborted ? new Parked("the process is shutting down", { cause: error }) : error;
    });
    if (signal.aborted) throw new Parked("the process is shutting down");
    const { policy, branch, bound, work } = prepared;
    const title = text(prepared.title);
    const log = storeLog(this.store, { loopId, kind: item.kind, item: item.id, title, branch, policy });
    const files = this.#projections(kind, loopId, { id: item.id, title, policy });
    // The files of a word that was just taken are written first, or they would be written over what comes now.
    while (this.#heeding.has(loopId)) await this.#heeding.get(loopId);
    const onEvent = (event: LoopEvent, before: LoopState | null, after: LoopState) => {
      const seq = log.lastSeq();
      files.write(after, seq);
      this.#tell({ loop: loopId, ref: item, title, policy }, { event, before, after, seq });
    };
    const engine = new LoopEngine({ policy, log, clock, shutdown: signal, recorder, clean, onEvent });
    const state =
      goesOn === undefined
        ? engine.begin({ type: "loop-started", at: clock.now(), loopId, item, policy, ...bound })
        : engine.resume(goesOn.started, eventsAfterStart(this.store, loopId));
    this.#engines.set(loopId, engine);
    this.inbox.answered(key);
    files.write(state, this.store.loop(loopId)?.lastSeq ?? 0);
    try {
      const rests = await drive(engine, state, withinDay(work, await this.#dayBudget(prepared), clock));
      return await leaveInOrder(this.#parts.workspaces, { item, branch }, rests);
    } finally {
      this.#engines.delete(loopId);
      await files.done();
      // A signal between the last step and this counts as handled, and nothing else would wake us again.
      if (this.store.takeInbox(loopId).length > 0) await this.#heed(loopId).catch(this.#troubleWith(key));
    }
  }

  async #dayBudget({ settingsNow = () => loadSettings(this.#parts.repo.root) }: Prepared): Promise<DayBudget> {
    const caps = dayCapsOf(await settingsNow());
    const { clock } = this.#options;
    return dayBudget({ usedSince: (ms) => this.store.usedSince(ms), workedSince: this.#workedSince, clock, caps });
  }

  #listen(): Promise<void> {
    const wakes = wakeUps(this.store, { clock: this.#options.clock, signal: this.#shutdown.signal });
    return this.inbox.listen(wakes).catch(this.#troubleWith("inbox"));
  }

  /** Takes what was said to a loop that is not at work, one after the other; meanwhile it cannot begin to be. */
  async #heed(loopId: string): Promise<void> {
    while (this.#heeding.has(loopId)) await this.#heeding.get(loopId);
    const heeding = this.#heedAll(loopId).finally(() => this.#heeding.delete(loopId));
    const over = heeding.catch(() => {});
    this.#heeding.set(loopId, over);
    await heeding;
  }

  async #heedAll(loopId: string): Promise<void> {
    while (!this.#engines.has(loopId)) {
      const row = this.store.loop(loopId);
      if (row === null) return;
      // A person's signal is not held up by files that cannot be put back.
      const { repo, clock } = this.#parts;
      await undoHalfDoneMoves(repo, this.store, row).catch(this.#troubleWith(row.item));
      const heard = await applyNextSignal(this.store, clock, row, tipIn(repo), this.#mask.event);
      if (heard === null) return;
      const { policy, item } = startOf(this.store, loopId);
      const { title } = row.summary;
      this.#tell({ loop: loopId, ref: item, title, policy }, heard);
      const files = this.#projections(this.kinds[item.kind], loopId, { id: item.id, title, policy });
      files.write(heard.after, heard.seq);
      await files.done();
    }
  }

  #projections(kind: Kinds[keyof Kinds], loopId: string, about: About) {
    return projections(kind, about, {
      onWritten: (seq) => this.store.markProjected(loopId, seq),
      onTrouble: this.#troubleWith(about.id),
    });
  }

  #tell(about: AboutLoop, heard: AppendedEvent): void {
    this.#bystanders.received(heard);
    this.#options.onEvent?.(notificationOf(about, heard));
  }

  #troubleWith(item: string): (error: unknown) => void {
    return (error) => {
      const message = errorMessage(error);
      this.#options.onTrouble?.(item, this.#mask.text(message));
    };
  }
}
