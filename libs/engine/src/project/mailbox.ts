import type { InboxRow } from "../embedded/index.ts";
import type { Wish } from "./kind.ts";
import { isStart, isWord, type ProjectStore } from "./store-log.ts";

/** What the mailbox may ask of the loops. */
export interface Loops {
  isAtWork(loop: string): boolean;
  interrupt(loop: string): void;
  /** Takes what was said to a loop that is not at work. */
  heed(loop: string): Promise<void>;
}

interface Asked {
  messages: string[];
  wish: Wish;
}

/** The owner's inbox: words go to their loops, and wishes to start items are kept until somebody starts them. */
export class Mailbox {
  readonly #store: ProjectStore;
  readonly #loops: Loops;
  readonly #asked = new Map<string, Asked>();
  #bell = Promise.withResolvers<void>();

  constructor(store: ProjectStore, loops: Loops) {
    this.#store = store;
    this.#loops = loops;
  }

  /** Keys of the items that others asked for and that have not begun yet. */
  asked(): string[] {
    return [...this.#asked.keys()];
  }

  /** Settles when there is something new to do. Take it before looking, so that nothing is missed in between. */
  changed(): Promise<void> {
    return this.#bell.promise;
  }

  wishFor(key: string): Wish {
    return this.#asked.get(key)?.wish ?? {};
  }

  /** The item is on its way: whoever asked can see that in the log. */
  answered(key: string): void {
    const asked = this.#asked.get(key);
    if (asked === undefined) return;
    this.#asked.delete(key);
    this.#store.markTaken(asked.messages, this.#store.lastSeq());
  }

  async empty(): Promise<void> {
    const rows = this.#store.takeInbox();
    const known = new Set([...this.#asked.values()].flatMap(({ messages }) => messages));
    const fresh = rows.filter((row) => !known.has(row.id));
    for (const row of fresh) await this.#hear(row);
    if (fresh.length === 0) return;
    this.#bell.resolve();
    this.#bell = Promise.withResolvers<void>();
  }

  async #hear({ id, loop, body }: InboxRow): Promise<void> {
    if (isStart(body)) return this.#note(id, body.item, body.wish ?? {});
    const known = loop !== null && isWord(body) && this.#store.loop(loop) !== null;
    if (!known) return this.#store.markTaken([id], this.#store.lastSeq());
    if (!this.#loops.isAtWork(loop)) return await this.#loops.heed(loop);
    // A ruling on a finding can wait for the end of the stage; stopping a paid agent for it would be waste.
    if (body.word.type === "signalled") this.#loops.interrupt(loop);
  }

  #note(message: string, key: string, wish: Wish): void {
    const before = this.#asked.get(key);
    const messages = [...(before?.messages ?? []), message];
    const cast = { ...before?.wish.cast, ...wish.cast };
    this.#asked.set(key, { messages, wish: { ...before?.wish, ...wish, cast } });
  }
}
