import type { Clock } from "@anneal/adapters";
import type { FeatureEntry, FeatureSummary } from "@anneal/adapters/features";
import { errorMessage } from "@anneal/types/unknown";
import { keyOfRow } from "../history/item-key.ts";
import { currentLoop, historyOf, loopsOf } from "../history/loop-history.ts";
import type { ProjectStore } from "../history/store-log.ts";
import type { LoopSummary } from "../history/summary.ts";
import type { Kinds, UnfinishedItem } from "../items/kind.ts";
import type { ProjectParts } from "../items/prepare.ts";
import { builtText, lostStatuses } from "../kinds/story/built.ts";
import type { LogLoopRow } from "../log/index.ts";

type Row = LogLoopRow<LoopSummary>;

/** Writes the files that the last owner could not write any more, and reviews, statuses and files that somebody has taken away. */
export async function catchUp(
  { repo, store, features, tell }: ProjectParts,
  kinds: Kinds,
  found: readonly FeatureEntry[],
): Promise<void> {
  const behind = new Map(store.behind().map((row) => [row.loop, row]));
  // A damaged one may have been put right since it was found.
  for (const entry of found.every((one) => "feature" in one) ? found : await features.list(found.map(({ id }) => id))) {
    if (!("feature" in entry) || entry.feature.review === undefined) continue;
    const row = loopsOf(store, { kind: "feature", id: entry.id }).at(-1);
    if (row !== undefined && isBehind(entry.feature, row.summary)) behind.set(row.loop, row);
  }
  for (const { file, row } of await lostStatuses(repo.root, store)) {
    if (behind.has(row.loop)) continue;
    behind.set(row.loop, row);
    tell?.(keyOfRow(row), `the status in the file is restored: ${builtText(file, row)}`);
  }
  // A file that cannot be written now stays behind, and is tried again by the next owner.
  for (const row of behind.values()) await writeFiles(store, kinds, row).catch(() => {});
  // Only now: what was not written yet is no edit of anybody.
  for (const { row, notice } of await changedOutside(store, kinds)) {
    const written = await writeFiles(store, kinds, row).then(
      () => true,
      () => false,
    );
    if (written && notice !== null) tell?.(notice.key, notice.why);
  }
}

/** The newest loop of each item whose files are gone or changed; what cannot be looked at now is for the next owner, too. */
async function changedOutside(
  store: ProjectStore,
  kinds: Kinds,
): Promise<(Pick<UnfinishedItem, "notice"> & { row: Row })[]> {
  const gone = Object.entries(kinds).map(async ([name, kind]) => {
    if (kind.changedOutside === undefined) return [];
    const rows = [...new Map(store.loops({ kind: name }).map((row) => [row.item, row])).values()];
    if (rows.length === 0) return [];
    const found = await kind.changedOutside(rows.map(({ item }) => item)).catch((): UnfinishedItem[] => []);
    return rows.flatMap((row) => found.filter(({ id }) => id === row.item).map(({ notice }) => ({ row, notice })));
  });
  return (await Promise.all(gone)).flat();
}

/** Brings all files of a loop's item to where its log is. */
export async function writeFiles(store: ProjectStore, kinds: Kinds, row: Row): Promise<void> {
  const { started, policy, state, differs } = historyOf(store, row);
  if (differs !== null) return;
  const { kind, id } = started.item;
  const [newest] = loopsOf(store, started.item).slice(-1);
  if (newest?.loop === row.loop) await kinds[kind].project({ id, title: row.summary.title, policy }, state, null);
  store.markProjected(row.loop, row.lastSeq);
}

function isBehind({ review: written }: FeatureSummary, { review }: LoopSummary): boolean {
  if (review === null) return false;
  return written?.status !== review.status || written.currentIteration !== review.currentIteration;
}

const LOOKS = 40;
const PAUSE_MS = 50;

/** Tries once more to write the files of items that are behind their log; gives those that still are, and why. */
export async function stillUnwritten(
  store: ProjectStore,
  kinds: Kinds,
  keys: Iterable<string>,
): Promise<Map<string, string>> {
  const unwritten = new Map<string, string>();
  for (const key of keys) {
    const row = rowBehind(store, key);
    if (row === null) continue;
    await writeFiles(store, kinds, row).catch((error: unknown) => unwritten.set(key, errorMessage(error)));
  }
  return unwritten;
}

/** The loop of an item whose files do not follow its log. */
export function rowBehind(store: ProjectStore, key: string): Row | null {
  const row = currentLoop(store, key);
  return row !== null && store.projected(row.loop) < row.lastSeq ? row : null;
}

/** Waits a moment for the owner's files to follow its log, so that who looks next sees what was just reported. */
export async function untilWritten(store: ProjectStore, keys: Iterable<string>, clock: Clock): Promise<void> {
  const never = new AbortController().signal;
  for (const key of keys) {
    for (let look = 0; look < LOOKS && rowBehind(store, key) !== null; look += 1) await clock.sleep(PAUSE_MS, never);
  }
}
