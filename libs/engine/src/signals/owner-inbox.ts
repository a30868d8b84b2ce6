import { randomUUID } from "node:crypto";
import { errorMessage } from "@anneal/types/unknown";
import type { RunOverrides } from "../history/run-overrides.ts";
import { isEventMessage, isStart, type ProjectStore, type StartMessage } from "../history/store-log.ts";
import type { InboxRow } from "../log/index.ts";

/** What the inbox may ask of the loops. */
export interface LoopControl {
  isAtWork(loop: string): boolean;
  interrupt(loop: string): void;
  /** Takes what was said to a loop that is not at work. */
  applySignals(loop: string): Promise<void>;
  /** Called with an event that could not be taken. */
  onTrouble(item: string, message: string): void;
}

interface Asked {
  messages: string[];
  overrides: RunOverrides;
  from: string;
}

/** Who sent a start that nobody sent. */
const OWNER = "owner";

/** The owner's inbox: events go to their loops, and requests to start items are kept until the items start. */
export class OwnerInbox {
  readonly #store: ProjectStore;
  readonly #loops: LoopControl;
  readonly #asked = new Map<string, Asked>();
  #wake = Promise.withResolvers<void>();

  constructor(store: ProjectStore, loops: LoopControl) {
    this.#store = store;
    this.#loops = loops;
  }

  /** Keys of the items that others asked for and that have not begun yet. */
  asked(): string[] {
    return [...this.#asked.keys()];
  }

  /** Settles when there is something new to do. Take it before looking, so that nothing is missed in between. */
  changed(): Promise<void> {
    return this.#wake.promise;
  }

  /** What is wanted of an item: what others ask for goes before this run's own words, and those before what an earlier run of the owner wanted. */
  overridesFor(key: string, own: RunOverrides): RunOverrides {
    const { overrides = {}, from } = this.#asked.get(key) ?? {};
    const [under, over] = from === OWNER ? [overrides, own] : [own, overrides];
    return { ...under, ...over, cast: { ...under.cast, ...over.cast } };
  }

  /** Keeps a start request of this process: one that is cut off before its loop has begun is not forgotten. */
  keep(key: string, overrides: RunOverrides): void {
    for (const row of this.#unhandled()) if (isStart(row.body) && row.body.item === key) this.#note(row.id, row.body);
    if (this.#asked.has(key)) return;
    const id = randomUUID();
    const body: StartMessage = { kind: "start", item: key, by: OWNER, overrides };
    this.#note(id, body);
    this.#store.post({ id, loop: null, body });
  }

  /** The item is on its way: whoever asked can see that in the log. */
  answered(key: string): void {
    const asked = this.#asked.get(key);
    if (asked === undefined) return;
    this.#asked.delete(key);
    this.#store.markTaken(asked.messages, this.#store.lastSeq());
  }

  /** Looks whenever it is woken; a look that fails is reported, and the next one follows. */
  async listen(wakes: AsyncIterable<unknown>): Promise<void> {
    for await (const _ of wakes)
      await this.empty().catch((error: unknown) => this.#loops.onTrouble("inbox", errorMessage(error)));
  }

  async empty(): Promise<void> {
    const fresh = this.#unhandled();
    for (const row of fresh) await this.#handle(row).catch((error: unknown) => this.#giveUp(row, error));
    if (fresh.length === 0) return;
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }

  #unhandled(): InboxRow[] {
    const known = new Set([...this.#asked.values()].flatMap(({ messages }) => messages));
    return this.#store.takeInbox().filter((row) => !known.has(row.id));
  }

  async #handle({ id, loop, body }: InboxRow): Promise<void> {
    if (isStart(body)) return this.#note(id, body);
    // Sent while its workspace is prepared: it is applied as soon as the loop has begun.
    if (loop !== null && isEventMessage(body) && this.#isPending(loop)) return;
    const known = loop !== null && isEventMessage(body) && this.#store.loop(loop) !== null;
    if (!known) return this.#store.markTaken([id], this.#store.lastSeq());
    if (!this.#loops.isAtWork(loop)) return await this.#loops.applySignals(loop);
    // A ruling on a finding can wait for the end of the stage; stopping a paid agent for it would be waste.
    if (body.event.type === "signalled") this.#loops.interrupt(loop);
  }

  /** What one loop cannot take holds up no other: the sender gets the reason, and may try again. */
  #giveUp({ id, loop }: InboxRow, error: unknown): void {
    const reason = errorMessage(error);
    this.#loops.onTrouble(loop === null ? "inbox" : keyOfLoop(loop), reason);
    this.#store.markTaken([id], this.#store.lastSeq(), reason);
  }

  #isPending(loop: string): boolean {
    return this.#asked.has(keyOfLoop(loop)) && this.#store.loop(loop) === null;
  }

  #note(message: string, { item, by, overrides = {} }: StartMessage): void {
    const before = this.#asked.get(item);
    const messages = [...(before?.messages ?? []), message];
    const cast = { ...before?.overrides.cast, ...overrides.cast };
    this.#asked.set(item, { messages, overrides: { ...before?.overrides, ...overrides, cast }, from: by });
  }
}

function keyOfLoop(loop: string): string {
  return loop.slice(0, loop.lastIndexOf("~"));
}
