import type { ApiItem, ApiItemChanges, ApiItemPage } from "@anneal/types";

type Get = <T>(path: string) => Promise<T>;

/** The version of each list that came from the server. One that somebody else has made has none, and is read again. */
const versions = new WeakMap<readonly ApiItem[], string>();

/** Lists whose last page is still on its way. */
const beginnings = new WeakSet<readonly ApiItem[]>();

export function isBeginning(items: readonly ApiItem[] | undefined): boolean {
  return items !== undefined && beginnings.has(items);
}

/** The whole list. Pages are fetched until there is none left: a card is small. */
export async function allItems(get: Get, show: (soFar: ApiItem[]) => void): Promise<ApiItem[]> {
  const items: ApiItem[] = [];
  let version: string | null = null;
  let after: string | null = null;
  do {
    const query: string = after === null ? "limit=1000" : `limit=1000&after=${encodeURIComponent(after)}`;
    const page: ApiItemPage = await get(`items?${query}`);
    items.push(...page.items);
    after = page.next;
    // What changes while the pages are read is told by the first of them.
    version ??= page.version;
    if (after !== null) {
      const beginning = [...items];
      beginnings.add(beginning);
      show(beginning);
    }
  } while (after !== null);
  versions.set(items, version);
  return items;
}

/** The list with what has changed since; null where the whole list has to be read. */
export async function changedItems(get: Get, before: readonly ApiItem[]): Promise<ApiItem[] | null> {
  const since = versions.get(before);
  if (since === undefined) return null;
  const { known, items, gone, version }: ApiItemChanges = await get(`item-changes?since=${encodeURIComponent(since)}`);
  if (!known) return null;
  const changed = new Map(items.map((item) => [item.id, item]));
  const left = new Set(gone);
  const kept = before.filter(({ id }) => !left.has(id)).map((item) => changed.get(item.id) ?? item);
  const had = new Set(before.map(({ id }) => id));
  const added = items.filter(({ id }) => !had.has(id));
  const next = added.length === 0 ? kept : [...kept, ...added].sort(inOrder);
  versions.set(next, version);
  return next;
}

/** The order of the server: features first, which have no colon in their ids. */
function inOrder({ id: a }: ApiItem, { id: b }: ApiItem): number {
  return Number(a.includes(":")) - Number(b.includes(":")) || (a < b ? -1 : 1);
}
