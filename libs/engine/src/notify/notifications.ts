import { basename } from "node:path";
import type { Clock, Notifier, SendResult } from "@anneal/adapters";
import type { FeatureStore } from "@anneal/adapters/features";
import { digestOf, noticeOf, quietUntil } from "@anneal/core/notify";
import { failpoint } from "@anneal/system/failpoint";
import type { ItemRef, NotifyChannel, NotifyMessage } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { keyOf } from "../history/item-key.ts";
import { historyOf } from "../history/loop-history.ts";
import type { ProjectStore } from "../history/store-log.ts";
import type { Notice } from "../log/index.ts";
import type { NewNotice } from "../log/outbox.ts";
import { channelProblems, channelsOf, type NotifySettings } from "./channels.ts";

export interface NotificationsArgs {
  root: string;
  store: ProjectStore;
  features: Pick<FeatureStore, "get">;
  clock: Clock;
  /** Read anew before every use: what a person has just switched off is off. */
  settings: () => Promise<NotifySettings>;
  notifierFor: (channel: NotifyChannel, settings: NotifySettings) => Promise<Notifier | null>;
  env?: NodeJS.ProcessEnv;
  onTrouble: (item: string, message: string) => void;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The pauses between tries; after the last one nobody tries any more. */
const PAUSES = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR];
const KEPT_MS = 30 * 24 * HOUR;
/** How long a process that ends waits for what is on its way. */
const LAST_MS = 20 * SECOND;

/** Tells people what the loops of a project want of them. The loops never wait for it, and nothing here fails them. */
export class Notifications {
  readonly #args: NotificationsArgs;
  readonly #ending = new AbortController();
  readonly #pumps = new Map<string, Promise<void>>();
  #collecting: Promise<void> = Promise.resolve();
  #timer = new AbortController();

  constructor(args: NotificationsArgs) {
    this.#args = args;
    this.#then(() => this.#recover());
    this.look();
  }

  /** Some loop waits for a person, or has ended. */
  look(): void {
    this.#then(() => this.#collect());
  }

  /** Until everything is sent that can be sent now. */
  async settled(): Promise<void> {
    await this.#collecting;
    await Promise.all(this.#pumps.values());
  }

  async close(): Promise<void> {
    this.#timer.abort();
    const last = setTimeout(() => this.#ending.abort(), LAST_MS);
    await this.settled();
    clearTimeout(last);
    this.#ending.abort();
    this.#timer.abort();
  }

  #then(act: () => Promise<void>): void {
    this.#collecting = this.#collecting.then(act).catch((error: unknown) => this.#complain("", errorMessage(error)));
  }

  /** Nobody knows whether a message arrived that was on its way when its process died. */
  async #recover(): Promise<void> {
    const { store, clock } = this.#args;
    const settings = await this.#args.settings();
    for (const problem of channelProblems(settings, this.#args.env)) this.#complain("", problem);
    const left = store.notices().filter(({ state }) => state === "sending");
    for (const notice of left) {
      const notifier = await this.#notifier(notice.channel as NotifyChannel, settings);
      const why = "the process ended while it was sent";
      store.moveNotices([notice], notifier?.keyed === true ? { state: "waiting" } : { state: "unclear", why });
    }
    store.forgetNotices(clock.now() - KEPT_MS);
  }

  async #collect(): Promise<void> {
    const { store } = this.#args;
    const since = store.noticedSeq();
    const upTo = store.lastSeq();
    const loops = upTo === since ? [] : store.restedSince(since);
    if (loops.length > 0) {
      const settings = await this.#args.settings();
      const news: NewNotice[] = [];
      for (const loop of loops) news.push(...(await this.#noticeOf(loop, settings)));
      store.note(news, upTo);
    }
    for (const { channel } of store.waitingNotices()) this.#pump(channel as NotifyChannel);
  }

  async #noticeOf(loop: string, settings: NotifySettings): Promise<NewNotice[]> {
    const { clock, env } = this.#args;
    const found = this.#readable(loop);
    if (found === null || (await this.#isMuted(found.item))) return [];
    const { message } = found;
    return channelsOf(settings, env)
      .filter(({ channel, tells }) => tells.some((kind) => kind === message.kind) && fits(channel, message))
      .map(({ channel }) => ({ key: message.key, channel, loop, at: clock.now(), message }));
  }

  /** A log that cannot be read keeps no other loop from being told of. */
  #readable(loop: string): { item: ItemRef; message: NotifyMessage } | null {
    try {
      return this.#messageOf(loop);
    } catch (error) {
      this.#complain("", `${loop}: ${errorMessage(error)}`);
      return null;
    }
  }

  /** What there is to say about a loop as it stands now. */
  #messageOf(loop: string): { item: ItemRef; message: NotifyMessage } | null {
    const { store, root } = this.#args;
    const row = store.loop(loop);
    if (row === null) return null;
    const { state, started } = historyOf(store, row);
    const { item } = started;
    const about = { loop, item, key: keyOf(item), title: row.summary.title, project: basename(root) };
    const message = noticeOf(about, state);
    return message === null ? null : { item, message };
  }

  async #isMuted({ kind, id }: ItemRef): Promise<boolean> {
    if (kind !== "feature") return false;
    const found = await this.#args.features.get(id);
    return found !== null && "feature" in found && found.feature.notify === false;
  }

  /** One message after the other on each channel. */
  #pump(channel: NotifyChannel): void {
    const before = this.#pumps.get(channel) ?? Promise.resolve();
    const next = before
      .then(() => this.#deliver(channel))
      .catch((error: unknown) => this.#complain("", `${channel}: ${errorMessage(error)}`))
      .then(() => this.#schedule());
    this.#pumps.set(channel, next);
  }

  async #deliver(channel: NotifyChannel): Promise<void> {
    const { store, clock, env } = this.#args;
    const due = store.dueNotices(channel, clock.now());
    if (due.length === 0 || this.#ending.signal.aborted) return;
    const settings = await this.#args.settings();
    const now = channelsOf(settings, env).find((one) => one.channel === channel);
    const isWanted = ({ message: { kind } }: Notice) => now?.tells.some((one) => one === kind) === true;
    const unwanted = due.filter((notice) => !isWanted(notice));
    store.moveNotices(unwanted, { state: "dropped", why: now?.problem ?? "it was switched off" });
    const wanted = due.filter(isWanted);
    const { quietHours, digest = true } = { ...settings.global.notifications, ...settings.project.notifications };
    // On a pull request nothing rings: its label says how it stands.
    const until = quietHours === undefined || channel === "github" ? null : quietUntil(quietHours, clock.now());
    if (until !== null) return store.moveNotices(wanted, { state: "waiting", notBefore: until, held: true });
    const notifier = await this.#notifier(channel, settings);
    for (const batch of batches(wanted, digest)) {
      const open = this.#stillTrue(batch);
      if (notifier !== null && open.length > 0) await this.#send(notifier, open);
      if (this.#ending.signal.aborted) return;
    }
  }

  /** Nobody is told of what has gone on meanwhile. */
  #stillTrue(batch: Notice[]): Notice[] {
    const open = batch.filter(({ loop, key }) => this.#readable(loop)?.message.key === key);
    const over = batch.filter((notice) => !open.includes(notice));
    this.#args.store.moveNotices(over, { state: "dropped", why: "it was settled before it was sent" });
    return open;
  }

  async #send(notifier: Notifier, notices: Notice[]): Promise<void> {
    const { store, clock } = this.#args;
    const [first, ...more] = notices;
    if (first === undefined) return;
    const message = more.length === 0 ? first.message : digestOf(notices.map((one) => one.message));
    store.moveNotices(notices, { state: "sending", triedAt: clock.now() });
    failpoint("notice.send.before");
    const result = await notifier.send(message, this.#ending.signal).catch(
      // A notifier answers; one that throws has a fault of its own, and may have sent it.
      (error: unknown): SendResult => ({ result: "unclear", why: errorMessage(error) }),
    );
    failpoint("notice.send.after");
    store.moveNotices(notices, this.#moveAfter(result, first.attempts + 1));
    failpoint("notice.record.after");
    if (result.result === "sent") return;
    const pause = PAUSES[first.attempts];
    const again = result.result === "later" && pause !== undefined;
    // Once, when it goes wrong, and once more where nobody tries any longer.
    if (!again || first.attempts === 0)
      this.#complain(message.item, `${notifier.name}: not sent, ${result.why}${again ? "; it is tried again" : ""}`);
  }

  #moveAfter(result: SendResult, attempts: number) {
    if (result.result === "sent") return { state: "sent" } as const;
    const { why } = result;
    if (result.result === "unclear") return { state: "unclear", why } as const;
    const pause = PAUSES[attempts - 1];
    if (result.result === "refused" || pause === undefined) return { state: "failed", why } as const;
    const notBefore = this.#args.clock.now() + Math.max(pause, result.retryAfterMs ?? 0);
    return { state: "waiting", notBefore, why } as const;
  }

  async #notifier(channel: NotifyChannel, settings: NotifySettings): Promise<Notifier | null> {
    return await this.#args.notifierFor(channel, settings);
  }

  /** Comes back when the next one is due. */
  #schedule(): void {
    const { store, clock } = this.#args;
    this.#timer.abort();
    if (this.#ending.signal.aborted) return;
    const times = store.waitingNotices().map(({ at }) => at);
    if (times.length === 0) return;
    const timer = new AbortController();
    this.#timer = timer;
    clock.sleep(Math.max(SECOND, Math.min(...times) - clock.now()), timer.signal).then(
      () => this.look(),
      () => {},
    );
  }

  #complain(item: string, message: string): void {
    this.#args.onTrouble(item === "" ? "notifications" : item, message);
  }
}

/** A pull request is where the forge tells it, and nowhere else. */
function fits(channel: NotifyChannel, { pullRequest, kind }: NotifyMessage): boolean {
  return channel !== "github" || (pullRequest !== null && kind === "ready");
}

function batches(notices: Notice[], digest: boolean): Notice[][] {
  const held = digest ? notices.filter((notice) => notice.held) : [];
  const single = notices.filter((notice) => !held.includes(notice)).map((notice) => [notice]);
  return held.length === 0 ? single : [held, ...single];
}
