import type { Clock } from "@anneal/adapters";
import type { FeatureCatalogue, FeatureStore } from "@anneal/adapters/features";
import { currentLoop, keyOfRow, loopsByItem, type ProjectStore } from "@anneal/engine/project";
import type { ApiItem, ApiItemQuery } from "@anneal/types";
import { ItemChanges } from "./item-changes.ts";
import { cardOrDamage, type FeatureFile, fileOf, isDone, isShown, type Known } from "./item-index-card.ts";

interface Parts {
  features: FeatureStore;
  store: ProjectStore;
  clock: Clock;
}

interface Card {
  item: ApiItem;
  /** The item as JSON, made when it changes rather than when it is sent. */
  line: string;
  words: string;
}

/** A page of the largest size is about half a megabyte. */
const KEPT_PAGES = 32;
/** Where more has changed, the list is the shorter way. */
const MOST_CHANGES = 1_000;

/** Every work item of a project, kept as cards that are ready to be sent. */
export class ItemIndex {
  readonly #parts: Parts;
  readonly #known = new Map<string, Known>();
  readonly #dependents = new Map<string, Set<string>>();
  readonly #cards = new Map<string, Card>();
  readonly #changed = new Set<string>();
  /** Whether files have changed since the last look. */
  #edited = false;
  readonly #changes = new ItemChanges();
  /** Pages that were asked for since anything has changed. */
  readonly #pages = new Map<string, Buffer>();
  #catalogue: Promise<FeatureCatalogue> | null = null;
  #order: readonly string[] = [];
  #seenSeq: number | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The items as they are now, one page of those that fit, as JSON. */
  async page(query: ApiItemQuery): Promise<Buffer> {
    await this.#refresh();
    const name = JSON.stringify(query);
    const made = this.#pages.get(name) ?? this.#makePage(query);
    if (this.#pages.size >= KEPT_PAGES) this.#pages.clear();
    this.#pages.set(name, made);
    return made;
  }

  /** What has changed since a version of the list, as JSON. */
  async changes(since: string): Promise<string> {
    await this.#refresh();
    const version = JSON.stringify(this.#changes.version);
    const keys = this.#changes.since(since);
    if (keys === null || keys.length > MOST_CHANGES) return `{"known":false,"items":[],"gone":[],"version":${version}}`;
    const lines = keys.flatMap((key) => this.#cards.get(key)?.line ?? []);
    const gone = keys.filter((key) => !this.#cards.has(key));
    return `{"known":true,"items":[${lines.join(",")}],"gone":${JSON.stringify(gone)},"version":${version}}`;
  }

  /** One item, as it is at this moment. */
  async item(key: string): Promise<ApiItem | null> {
    await this.#refresh(key);
    return this.#cards.get(key)?.item ?? null;
  }

  /** Looks again; whether files have changed since the last look, also those that were found changed in between. */
  async look(): Promise<boolean> {
    await this.#refresh();
    const edited = this.#edited;
    this.#edited = false;
    return edited;
  }

  /** How many cards each column holds. */
  async cardsByColumn(): Promise<Map<string, number>> {
    await this.#refresh();
    const counts = new Map<string, number>();
    for (const { item } of this.#cards.values()) counts.set(item.column, (counts.get(item.column) ?? 0) + 1);
    return counts;
  }

  /** What keeps an item from starting; null once somebody tries again. */
  troubleOf(key: string): string | null {
    return this.#known.get(key)?.trouble ?? null;
  }

  setTrouble(key: string, trouble: string | null): void {
    if (trouble === null && this.#known.get(key)?.trouble === undefined) return;
    this.#learn(key, { trouble: trouble ?? undefined });
  }

  async close(): Promise<void> {
    (await this.#catalogue)?.[Symbol.dispose]();
  }

  async #refresh(named?: string): Promise<void> {
    await (await this.#opened()).refresh(named);
    this.#readLog();
    this.#remake();
  }

  #opened(): Promise<FeatureCatalogue> {
    this.#catalogue ??= this.#parts.features
      .catalogue((id, now) => {
        this.#edited = true;
        this.#learn(id, { file: now === null ? null : fileOf(now) });
      })
      .catch((error: unknown) => {
        // What kept it from being opened may be gone when somebody asks again.
        this.#catalogue = null;
        throw error;
      });
    return this.#catalogue;
  }

  /** Only loops with new events are read again. */
  #readLog(): void {
    const { store } = this.#parts;
    const lastSeq = store.lastSeq();
    if (lastSeq === this.#seenSeq) return;
    if (this.#seenSeq === null)
      for (const [key, row] of loopsByItem(store)) this.#learn(key, { row, trouble: undefined });
    else {
      const keys = new Set(store.loopsSince(this.#seenSeq).map(keyOfRow));
      for (const key of keys) this.#learn(key, { row: currentLoop(store, key), trouble: undefined });
    }
    this.#seenSeq = lastSeq;
  }

  #learn(key: string, news: Partial<Known>): void {
    const before = this.#known.get(key) ?? { file: null, row: null, trouble: undefined };
    const now = { ...before, ...news };
    // What could not start may be there before anybody has looked for it.
    if (now.file === null && now.row === null && now.trouble === undefined) this.#known.delete(key);
    else this.#known.set(key, now);
    this.#changed.add(key);
    if (news.file !== undefined) this.#relink(key, before.file, news.file);
    // Those that wait for it are shown as blocked by it, or no longer.
    if (isDone(before) !== isDone(now)) for (const one of this.#dependents.get(key) ?? []) this.#changed.add(one);
  }

  #relink(key: string, before: FeatureFile | null, now: FeatureFile | null): void {
    for (const needed of before?.dependsOn ?? []) this.#dependents.get(needed)?.delete(key);
    for (const needed of now?.dependsOn ?? []) {
      const dependents = this.#dependents.get(needed) ?? new Set();
      this.#dependents.set(needed, dependents.add(key));
    }
  }

  #remake(): void {
    if (this.#changed.size === 0) return;
    const count = this.#cards.size;
    let appeared = 0;
    for (const key of this.#changed) {
      const known = this.#known.get(key);
      if (known === undefined || !isShown(known)) this.#cards.delete(key);
      else {
        if (!this.#cards.has(key)) appeared += 1;
        this.#cards.set(key, this.#make(key, known));
      }
    }
    this.#changes.note(this.#changed);
    this.#changed.clear();
    this.#pages.clear();
    if (appeared > 0 || this.#cards.size !== count) this.#order = [...this.#cards.keys()].sort(inOrder);
  }

  #make(key: string, known: Known): Card {
    const item = cardOrDamage(key, known, (needed) => {
      const other = this.#known.get(needed);
      return other === undefined || !isDone(other);
    });
    const words = [item.id, item.title, item.category, item.branch].join(" ").toLowerCase();
    return { item, line: JSON.stringify(item), words };
  }

  #makePage(query: ApiItemQuery): Buffer {
    const { after, limit } = query;
    const fits = fitting(query);
    const keys = fits === null ? this.#order : this.#order.filter((key) => this.#fits(key, fits));
    const start = after === undefined ? 0 : placeAfter(keys, after);
    const page = keys.slice(start, start + limit);
    const next = start + limit < keys.length ? (page.at(-1) ?? null) : null;
    const lines = page.map((key) => this.#cards.get(key)?.line);
    const rest = { next, total: keys.length, version: this.#changes.version };
    return Buffer.from(`{"items":[${lines.join(",")}],${JSON.stringify(rest).slice(1)}`);
  }

  #fits(key: string, fits: (card: Card) => boolean): boolean {
    const card = this.#cards.get(key);
    return card !== undefined && fits(card);
  }
}

/** Where the page after an item begins, also where that item is gone. */
function placeAfter(keys: readonly string[], after: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (inOrder(keys[middle] ?? "", after) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The test that a query stands for; null where every item fits. */
function fitting({ kind, column, text, needsYou }: ApiItemQuery): ((card: Card) => boolean) | null {
  const words = (text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  if (kind === undefined && column === undefined && needsYou === undefined && words.length === 0) return null;
  return ({ item, words: said }) =>
    (kind === undefined || item.kind === kind) &&
    (column === undefined || item.column === column) &&
    (needsYou === undefined || String(item.needsYou) === needsYou) &&
    words.every((word) => said.includes(word));
}

/** Features first, which have no colon in their ids. */
function inOrder(a: string, b: string): number {
  const groups = Number(a.includes(":")) - Number(b.includes(":"));
  if (groups !== 0 || a === b) return groups;
  return a < b ? -1 : 1;
}
