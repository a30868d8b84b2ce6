import { randomUUID } from "node:crypto";
import { isStart, isWord, type ProjectStore, type StartMessage } from "../history/store-log.ts";
import type { Wish } from "../history/wish.ts";
import type { InboxRow } from "../log/index.ts";

/** What the mailbox may ask of the loops. */
export interface Loops {
  isAtWork(loop: string): boolean;
  interrupt(loop: string): void;
  /** Takes what was said to a loop that is not at work. */
  heed(loop: string): Promise<void>;
  /** Told of a word that could not be taken. */
  onTrouble(item: string, message: string): void;
}

interface Asked {
  messages: string[];
  wish: Wish;
  from: string;
}

/** Who sent a start that nobody sent. */
const OWNER = "owner";

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

  /** What is wanted of an item: what others ask for goes before this run's own words, and those before what an earlier run of the owner wanted. */
  wishFor(key: string, own: Wish): Wish {
    const { wish = {}, from } = this.#asked.get(key) ?? {};
    const [under, over] = from === OWNER ? [wish, own] : [own, wish];
    return { ...under, ...over, cast: { ...under.cast, ...over.cast } };
  }

  /** Keeps a wish of this process that nobody sent: a start that is cut off before its loop has begun is not forgotten. */
  keep(key: string, wish: Wish): void {
    for (const row of this.#unheard()) if (isStart(row.body) && row.body.item === key) this.#note(row.id, row.body);
    if (this.#asked.has(key)) return;
    const id = randomUUID();
    const body: StartMessage = { kind: "start", item: key, by: OWNER, wish };
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

  /** Looks whenever it is woken; a look that fails is told, and not the last. */
  async listen(wakes: AsyncIterable<unknown>): Promise<void> {
    for await (const _ of wakes)
      await this.empty().catch((error: unknown) => this.#loops.onTrouble("inbox", messageOf(error)));
  }

  async empty(): Promise<void> {
    const fresh = this.#unheard();
    for (const row of fresh) await this.#hear(row).catch((error: unknown) => this.#giveUp(row, error));
    if (fresh.length === 0) return;
    this.#bell.resolve();
    this.#bell = Promise.withResolvers<void>();
  }

  #unheard(): InboxRow[] {
    const known = new Set([...this.#asked.values()].flatMap(({ messages }) => messages));
    return this.#store.takeInbox().filter((row) => !known.has(row.id));
  }

  async #hear({ id, loop, body }: InboxRow): Promise<void> {
    if (isStart(body)) return this.#note(id, body);
    // Said while its workspace is made ready: it hears that as soon as it has begun.
    if (loop !== null && isWord(body) && this.#isComing(loop)) return;
    const known = loop !== null && isWord(body) && this.#store.loop(loop) !== null;
    if (!known) return this.#store.markTaken([id], this.#store.lastSeq());
    if (!this.#loops.isAtWork(loop)) return await this.#loops.heed(loop);
    // A ruling on a finding can wait for the end of the stage; stopping a paid agent for it would be waste.
    if (body.word.type === "signalled") this.#loops.interrupt(loop);
  }

  /** What one loop cannot take holds up no other: whoever said it is told why, and may say it again. */
  #giveUp({ id, loop }: InboxRow, error: unknown): void {
    const reason = messageOf(error);
    this.#loops.onTrouble(loop === null ? "inbox" : keyOfLoop(loop), reason);
    this.#store.markTaken([id], this.#store.lastSeq(), reason);
  }

  #isComing(loop: string): boolean {
    return this.#asked.has(keyOfLoop(loop)) && this.#store.loop(loop) === null;
  }

  #note(message: string, { item, by, wish = {} }: StartMessage): void {
    const before = this.#asked.get(item);
    const messages = [...(before?.messages ?? []), message];
    const cast = { ...before?.wish.cast, ...wish.cast };
    this.#asked.set(item, { messages, wish: { ...before?.wish, ...wish, cast }, from: by });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function keyOfLoop(loop: string): string {
  return loop.slice(0, loop.lastIndexOf("~"));
}
