import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import type { Clock } from "@anneal/adapters";
import type { FeatureStore } from "@anneal/adapters/features";
import type { SecretMask } from "@anneal/engine/evidence";
import {
  type AgentActivity,
  maskedStore,
  openProject,
  type ProjectReader,
  type ProjectStore,
  type RunOverrides,
  Runtime,
  runItems,
  ticks,
} from "@anneal/engine/project";
import type { ApiSettingsScope } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { type Hub, hub } from "../events/hub.ts";
import type { LiveSettings } from "../settings/live-settings.ts";
import { Drafts } from "./drafts.ts";
import { folderAt } from "./folder.ts";
import { ItemIndex } from "./item-index.ts";
import { projectId } from "./project-id.ts";

export interface ServedOptions {
  root: string;
  clock: Clock;
  settings: LiveSettings;
  mask: SecretMask;
  /** Told of what goes wrong beside the loops. */
  onTrouble(project: string, item: string, message: string): void;
  /** Told of what agents do while they do it. */
  onSeen?: (project: string, seen: AgentActivity) => void;
}

type Opened = ProjectReader & { store: ProjectStore };

const LOOK_MS = 1_000;
/** A look at all work items may take long on a slow disk: afterwards it rests for so many times as long. */
const REST = 20;
const PAUSE_AFTER = 3;

/** One project of the server: it owns it where it can; where another process does, that one does the work, and this one watches. */
export class ServedProject {
  readonly id: string;
  readonly name: string;
  readonly root: string;
  readonly store: ProjectStore;
  readonly hub: Hub;
  /** Its work items, for lists. */
  readonly items: ItemIndex;
  /** Replies that agents draft beside its loops. */
  readonly drafts = new Drafts();
  readonly #options: ServedOptions;
  readonly #opened: Opened;
  readonly #shutdown = new AbortController();
  readonly #folder: ReturnType<typeof folderAt>;
  /** Aborted while the folder is gone. */
  #absent = new AbortController();
  #runtime: Runtime | null = null;
  #nextLookAt = 0;
  #trouble: string | null = null;
  #auto = false;
  #limit = 1;
  #bell = Promise.withResolvers<void>();
  #work: Promise<void> = Promise.resolve();

  static async open(options: ServedOptions): Promise<ServedProject> {
    const project = new ServedProject(options, await openProject(options.root, options.clock));
    await project.#takeSettings();
    await project.#takeOver();
    project.#work = Promise.all([project.#run(), project.#watch()]).then(() => {});
    return project;
  }

  private constructor(options: ServedOptions, opened: Opened) {
    this.#options = options;
    this.#opened = opened;
    this.root = opened.root;
    this.#folder = folderAt(opened.root);
    this.id = projectId(opened.root);
    this.name = basename(opened.root);
    this.store = maskedStore(opened.store, options.mask);
    this.hub = hub(this.id, opened.store);
    this.items = new ItemIndex({ features: opened.features, store: opened.store, clock: options.clock });
  }

  /** Takes out of what people say here what nobody may read. */
  get mask(): SecretMask {
    return this.#options.mask;
  }

  get features(): FeatureStore {
    return this.#opened.features;
  }

  get repo(): ProjectReader["repo"] {
    return this.#opened.repo;
  }

  /** Aborted as soon as the project is let go. */
  get closing(): AbortSignal {
    return this.#shutdown.signal;
  }

  /** Whether this process does the work. */
  get owned(): boolean {
    return this.#runtime !== null;
  }

  /** Why no item can run, where the last look at them failed. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /** Whether features of the backlog start by themselves. */
  get auto(): boolean {
    return this.#auto;
  }

  set auto(on: boolean) {
    this.#auto = on;
    this.#ring();
  }

  /** Whether its folder was moved or removed, also where another one lies in its place. Nothing is read or made there then. */
  isGone(): boolean {
    const gone = !this.#folder.isThere();
    if (gone === this.#absent.signal.aborted) return gone;
    if (gone) {
      this.#absent.abort();
      this.#tell("", new Error(`${this.goneText}. Its loops wait until then`));
    } else this.#absent = new AbortController();
    this.hub.itemsChanged();
    return gone;
  }

  get goneText(): string {
    return `the folder of ${this.name} is gone: restore it at ${this.root}, or serve it from its new path`;
  }

  /** Takes what the settings say by now, and tells listeners. */
  async settingsChanged(scope: ApiSettingsScope): Promise<void> {
    await this.#takeSettings();
    this.hub.settingsChanged(scope);
  }

  /** Asks for an item to be run, by whoever owns the project. */
  start(item: string, by: string, overrides: RunOverrides = {}): void {
    this.items.setTrouble(item, null);
    this.store.post({ id: randomUUID(), loop: null, body: { kind: "start", item, by, overrides } });
  }

  /** Stops agents, records that, and lets go; loops go on at the next start. */
  async close(): Promise<void> {
    this.#shutdown.abort();
    this.#ring();
    await this.drafts.settled();
    await this.#work;
    await this.#runtime?.close();
    await this.items.close();
    this.hub.close();
    this.#opened[Symbol.dispose]();
  }

  /** What they say about running items; loops read theirs when they begin. */
  async #takeSettings(): Promise<void> {
    const { settings } = await this.#options.settings.load(this.root);
    this.#limit = settings.maxConcurrency;
    this.#ring();
  }

  async #takeOver(): Promise<void> {
    const { clock, onSeen } = this.#options;
    this.#runtime = await Runtime.open({
      root: this.root,
      clock,
      secrets: () => this.mask.secrets,
      onEvent: () => this.hub.wake(),
      onTrouble: (item, message) => this.#tell(item, message),
      onProgress: (progress) => this.hub.progress(progress),
      ...(onSeen === undefined ? {} : { onSeen: (seen) => onSeen(this.id, seen) }),
    });
  }

  async #run(): Promise<void> {
    const { signal } = this.#shutdown;
    while (!signal.aborted) {
      // Another process may have gone away: what it left undone is ours then.
      if (this.#runtime === null && !this.isGone())
        await this.#takeOver().catch((error: unknown) => this.#tell("", error));
      if (this.#runtime === null) await this.#pause();
      else await this.#serve(this.#runtime);
    }
  }

  async #serve(runtime: Runtime): Promise<void> {
    const absent = this.#absent.signal;
    await runItems(runtime, {
      limit: () => this.#limit,
      pauseAfter: PAUSE_AFTER,
      stays: true,
      signal: AbortSignal.any([this.#shutdown.signal, absent]),
      resident: {
        auto: () => this.#auto,
        news: () => this.#bell.promise,
        onLooked: () => {
          this.#trouble = null;
        },
        onPaused: () => {
          this.#auto = false;
          this.#tell("", new Error(`auto mode is switched off, because ${PAUSE_AFTER} items failed in a row`));
        },
        onBroken: (key, error) => {
          const message = this.#tell(key, error);
          this.items.setTrouble(key, `this item could not start: ${message}`);
        },
      },
    }).catch(async (error: unknown) => {
      this.#trouble = this.#tell("", error);
      await this.#pause();
    });
    if (!absent.aborted) return;
    // Its loops would make another folder in the place of the one that is gone.
    this.#runtime = null;
    await runtime.close().catch((error: unknown) => this.#tell("", error));
  }

  /** What other processes append is told too. */
  async #watch(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#shutdown;
    for await (const _ of ticks(this.store, { clock, signal, everyMs: LOOK_MS })) {
      const gone = this.isGone();
      this.hub.wake();
      if (!gone && this.hub.isHeard) this.#lookAtItems();
    }
  }

  /** Whoever listens hears of work items that were added or edited, here or by others. */
  #lookAtItems(): void {
    const { clock } = this.#options;
    const startedAt = clock.now();
    if (startedAt < this.#nextLookAt) return;
    this.#nextLookAt = Number.POSITIVE_INFINITY;
    this.items
      .look()
      .then((edited) => edited && this.hub.itemsChanged())
      // Whoever asks for the items is told why they cannot be read.
      .catch(() => {})
      .finally(() => {
        const tookMs = clock.now() - startedAt;
        this.#nextLookAt = clock.now() + Math.max(LOOK_MS, tookMs * REST);
      });
  }

  async #pause(): Promise<void> {
    const { signal } = this.#shutdown;
    await this.#options.clock.sleep(LOOK_MS, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  #ring(): void {
    this.#bell.resolve();
    this.#bell = Promise.withResolvers<void>();
  }

  /** Tells the log of the server, and whoever looks at the item. */
  #tell(item: string, error: unknown): string {
    const message = this.mask.text(errorMessage(error));
    this.#options.onTrouble(this.id, item, message);
    if (item !== "") this.hub.trouble(item, message);
    return message;
  }
}
