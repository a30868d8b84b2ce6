import { join } from "node:path";
import type { Clock } from "@anneal/adapters";
import type { FeatureChange, FeatureEntry, FeatureStore, FeatureWatch } from "@anneal/adapters/features";
import { signalOfMove } from "@anneal/core";
import type { FeatureStatus, Right, SignalName } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { itemOf } from "../history/item-key.ts";
import { currentLoop, historyOf } from "../history/loop-history.ts";
import { statusesSinceWritten } from "../history/statuses.ts";
import type { EventMessage, ProjectStore } from "../history/store-log.ts";
import type { LoopSummary } from "../history/summary.ts";
import { isRefusalNote, refusalNote } from "../items/refusal-note.ts";
import { type LogLoopRow, wakeUps } from "../log/index.ts";
import { rightOfSignal } from "./right-of.ts";

export interface OutsideArgs {
  root: string;
  features: FeatureStore;
  store: ProjectStore;
  clock: Clock;
  /** Ends the watching. */
  signal: AbortSignal;
  onTrouble: (item: string, message: string) => void;
  /** The features that are looked at; all of them without. */
  only?: readonly string[] | undefined;
}

export interface OutsideEdits {
  /** Every feature that was looked at and there at the start: nobody else then has to read them all. */
  readonly found: readonly FeatureEntry[];
  /** Looks at this feature, too, from now on. */
  follow(id: string): Promise<void>;
  /** Settles when everything that was seen so far is dealt with; once the watching has ended, nothing comes after it. */
  settled(): Promise<void>;
}

type Row = LogLoopRow<LoopSummary>;

/**
 * Reads what people and other tools do to the files of features with an open loop: a status is a word to the loop, or is put
 * back with a note; a file that is gone pauses it. To be started before files are caught up, so that no edit is written over.
 */
export async function outsideEdits(args: OutsideArgs): Promise<OutsideEdits> {
  const { features, store, signal, only } = args;
  const found = new Map<string, FeatureChange>();
  let take = (change: FeatureChange): void => {
    found.set(change.id, change);
  };
  const watch = await features.watch((change) => take(change), { existing: "report", only });
  const there = [...found.values()].flatMap((change) => (change.kind === "removed" ? [] : [change.entry]));
  const edits = new Edits(args, watch, there);
  take = (change) => edits.take(change);
  for (const row of store.loops({ open: true })) {
    if (row.kind !== "feature") continue;
    const id = row.item;
    const now = found.get(id) ?? { kind: "removed", id };
    if (isAsWritten(now, row)) continue;
    // A file that was there all the time was not brought back: what it says is an edit.
    edits.take(now.kind === "added" ? { ...now, kind: "changed" } : now);
  }
  if (signal.aborted) watch.close();
  signal.addEventListener("abort", () => watch.close(), { once: true });
  return edits;
}

/** The features that concern a process which was asked for some items only: these, and all that have an open loop. */
export function featuresAbout(store: ProjectStore, keys: readonly string[]): string[] {
  const named = keys.map(itemOf).flatMap(({ kind, id }) => (kind === "feature" ? [id] : []));
  const open = store.loops({ open: true }).flatMap(({ kind, item }) => (kind === "feature" ? [item] : []));
  return [...new Set([...named, ...open])];
}

/** Says just what the loop's own line says, as nearly all do. */
function isAsWritten(there: FeatureChange, { summary }: Row): boolean {
  return there.kind !== "removed" && "feature" in there.entry && there.entry.feature.status === summary.status;
}

const BY_EDIT = "an edit of feature.json";
const BY_REMOVAL = "Anneal, since feature.json is gone";

class Edits implements OutsideEdits {
  readonly #args: OutsideArgs;
  /** Features whose file was gone or could not be read: what it says when it is back is old, and not a request. */
  readonly #away = new Map<string, string>();
  readonly #said = new Map<string, { row: Row; wanted: FeatureStatus }>();
  #last: Promise<void> = Promise.resolve();
  #following: Promise<void> = Promise.resolve();
  readonly #watch: FeatureWatch;
  readonly found: readonly FeatureEntry[];

  constructor(args: OutsideArgs, watch: FeatureWatch, found: readonly FeatureEntry[]) {
    this.#args = args;
    this.#watch = watch;
    this.found = found;
  }

  follow(id: string): Promise<void> {
    return this.#watch.follow(id);
  }

  take(change: FeatureChange): void {
    this.#last = this.#last.then(() => this.#handle(change)).catch((error: unknown) => this.#trouble(change.id, error));
  }

  async settled(): Promise<void> {
    await this.#last;
    if (this.#args.signal.aborted) await this.#following;
  }

  async #handle(change: FeatureChange): Promise<void> {
    const { store, signal } = this.#args;
    const row = currentLoop(store, change.id);
    // Without a loop, or after its end, a feature belongs to people alone.
    if (signal.aborted || row === null || row.stage === "ended") return;
    if (change.kind === "removed") return this.#gone(row);
    if (!("feature" in change.entry)) return await this.#damaged(row, change.entry.damaged);
    const wasAway = this.#away.delete(change.id) || change.kind === "added";
    const { status } = change.entry.feature;
    if (status === row.summary.status) return;
    if (wasAway) return await this.#restore(row);
    await this.#edited(row, status);
  }

  async #edited(row: Row, wanted: FeatureStatus | undefined): Promise<void> {
    const history = historyOf(this.#args.store, row);
    const ours = statusesSinceWritten(history, this.#args.store.projected(row.loop));
    if (ours === null || (wanted !== undefined && ours.has(wanted))) return;
    if (wanted === undefined) return await this.#putBack(row, "no status", "a feature with a loop has one");
    const move = signalOfMove(history.policy, history.state, wanted);
    if ("refused" in move) return await this.#putBack(row, wanted, move.refused);
    const right = rightOfSignal(move.signal);
    if (right !== null) return await this.#putBack(row, wanted, personsWord(right, row.item));
    const message = this.#say(row, move.signal, BY_EDIT, `to ${wanted}`);
    this.#said.set(message, { row, wanted });
    if (this.#said.size === 1) this.#following = this.#following.then(() => this.#follow());
  }

  #gone(row: Row): void {
    if (this.#away.has(row.item)) return;
    this.#away.set(row.item, "gone");
    parkWithoutFile(this.#args, row);
    const advice = "restore the file and resume, or stop the loop";
    this.#args.onTrouble(row.item, `${this.#pathOf(row)} is gone, so its loop waits: ${advice}`);
  }

  /** A status that does not exist is put right; any other damage is left to whoever made it, and reported once. */
  async #damaged(row: Row, damage: string): Promise<void> {
    const before = this.#away.get(row.item);
    try {
      await this.#putBack(row, "a status that does not exist", "see the columns of the board");
    } catch {
      this.#away.set(row.item, damage);
      // Where work goes on, the next file to be written meets the damage and tells of it.
      if (before !== damage && row.stage === "waiting-for-human") this.#args.onTrouble(row.item, damage);
    }
  }

  #say(row: Row, signal: SignalName, by: string, what: string): string {
    return post(this.#args, row, { signal, by, what });
  }

  /** The loop may have moved on before the signal arrived: then it was refused, and the file has to say so. */
  async #follow(): Promise<void> {
    const { store, clock, signal } = this.#args;
    for await (const _ of wakeUps(store, { clock, signal })) {
      for (const [message, { row, wanted }] of this.#said) {
        const { taken, reason } = store.inboxAnswer(message);
        if (!taken) continue;
        this.#said.delete(message);
        const answer = reason === null ? this.#clearNote(row) : this.#putBack(row, wanted, reason);
        await answer.catch((error: unknown) => this.#trouble(row.item, error));
      }
      if (this.#said.size === 0) return;
    }
  }

  async #putBack(row: Row, wanted: string, reason: string): Promise<void> {
    const note = refusalNote(wanted, reason);
    await this.#restore(row, note);
    this.#args.onTrouble(row.item, `status restored after an edit. ${note}`);
  }

  async #restore({ item, loop, summary }: Row, note?: string): Promise<void> {
    const { features, store } = this.#args;
    await features.restoreStatus(item, () => store.loop(loop)?.summary.status ?? summary.status, note);
  }

  async #clearNote({ item }: Row): Promise<void> {
    await this.#args.features.update(item, ({ error, ...feature }) => (isRefusalNote(error) ? feature : null));
  }

  #pathOf({ item }: Row): string {
    return join(this.#args.root, ".automaker/features", item, "feature.json");
  }

  #trouble(item: string, error: unknown): void {
    this.#args.onTrouble(item, errorMessage(error));
  }
}

/** Whatever runs here as this user can edit a file. */
function personsWord(right: Right, item: string): string {
  return `this change needs a person, and an edited file does not show who edited it: use the board or anneal ${right} ${item}`;
}

/** A loop whose item has no file any more goes on only when a person wants that. */
export function parkWithoutFile(args: Pick<OutsideArgs, "store" | "clock">, row: Row): void {
  if (row.stage !== "waiting-for-human") post(args, row, { signal: "pause", by: BY_REMOVAL, what: "gone" });
}

/** The same edit of the same state is one word, also where a killed owner has said it already. */
function post(
  { store, clock }: Pick<OutsideArgs, "store" | "clock">,
  row: Row,
  { signal, by, what }: { signal: SignalName; by: string; what: string },
): string {
  const id = `edit ${row.loop} ${row.lastSeq} ${what}`;
  const body: EventMessage = { kind: "event", event: { type: "signalled", id, at: clock.now(), signal, by } };
  store.post({ id, loop: row.loop, body });
  return id;
}
