import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@anneal/adapters";
import { BASELINE_FOLDER } from "@anneal/adapters/checks";
import { openRepo, type Repo } from "@anneal/adapters/git";
import { removeAbandoned } from "@anneal/adapters/sandbox";
import { becomeOwner, openBlobs, openStore, type Swept } from "../embedded/index.ts";
import { REVIEW_FOLDER } from "../review-trees.ts";
import { folderOf, keyOf, treesRefOf } from "./item-key.ts";
import type { ProjectStore } from "./store-log.ts";

export interface Collected {
  worktrees: { path: string; item: string }[];
  /** Worktrees of ended loops that hold uncommitted work. */
  kept: { path: string; item: string; because: string }[];
  blobs: Swept;
}

/** Blobs this young may belong to an event that is about to be written. */
const YOUNG_MS = 60 * 60_000;

/** Removes what no loop needs any more; null where another process owns the project. */
export async function collectGarbage(
  repo: Repo,
  { clock, dryRun }: { clock: Clock; dryRun: boolean },
): Promise<Collected | null> {
  const owner = becomeOwner(repo.root);
  if (owner === null) return null;
  const store: ProjectStore = openStore(repo.root, { clock });
  try {
    const { worktrees, kept } = await idleWorktrees(repo, store);
    const referenced = blobsInLog(store);
    if (dryRun) return { worktrees, kept, blobs: await wouldSweep(repo.root, referenced, clock.now() - YOUNG_MS) };
    for (const { path } of worktrees) await repo.removeWorktree(path);
    await repo.pruneWorktrees();
    await removeAbandoned();
    for (const item of idleItems(store)) await repo.dropKept(treesRefOf(item));
    return { worktrees, kept, blobs: openBlobs(repo.root, { clock }).sweep(referenced, YOUNG_MS) };
  } finally {
    store.close();
    owner.release();
  }
}

/** The worktrees of items whose loops have all ended; what is not committed there is left alone. */
async function idleWorktrees(repo: Repo, store: ProjectStore): Promise<Pick<Collected, "worktrees" | "kept">> {
  const ended = new Set(idleItems(store).map(folderOf));
  const result: Pick<Collected, "worktrees" | "kept"> = { worktrees: [], kept: [] };
  const home = join(repo.root, ".worktrees");
  for (const { path, kind, locked, prunable } of await repo.listWorktrees()) {
    const item = path.startsWith(`${home}/`) ? path.slice(home.length + 1) : null;
    if (item === null || kind !== "linked" || prunable !== null) continue;
    // Worktrees for baselines and for reviewers are ours alone and only in use while something runs; nothing does now.
    if ([BASELINE_FOLDER, REVIEW_FOLDER].some((ours) => path.startsWith(join(repo.root, ours)))) {
      result.worktrees.push({ path, item });
      continue;
    }
    if (!ended.has(item)) continue;
    const changed = (await (await openRepo(path)).status()) === "changed";
    const because = locked !== null ? `it is locked (${locked})` : changed ? "it holds uncommitted changes" : null;
    if (because === null) result.worktrees.push({ path, item });
    else result.kept.push({ path, item, because });
  }
  return result;
}

/** Items whose loops have all ended. */
function idleItems(store: ProjectStore): { kind: string; id: string }[] {
  const items = new Map(
    store.loops({ open: false }).map(({ kind, item }) => [keyOf({ kind, id: item }), { kind, id: item }]),
  );
  for (const { kind, item } of store.loops({ open: true })) items.delete(keyOf({ kind, id: item }));
  return [...items.values()];
}

/** Every hash in the log, wherever in an event it stands: a new field can never make a blob look unused. */
export function blobsInLog(store: Pick<ProjectStore, "allEvents">): Set<string> {
  const found = new Set<string>();
  for (let since = 0; ; ) {
    const page = store.allEvents(since, 500);
    for (const { seq, event } of page) {
      for (const [hash] of JSON.stringify(event).matchAll(/\b[0-9a-f]{64}\b/g)) found.add(hash);
      since = seq;
    }
    if (page.length === 0) return found;
  }
}

async function wouldSweep(root: string, keep: ReadonlySet<string>, before: number): Promise<Swept> {
  const folder = join(root, ".automaker", "blobs");
  const swept = { removed: 0, bytes: 0 };
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const { mtimeMs, size } = statSync(path);
    if (mtimeMs > before || keep.has(`${entry.parentPath.slice(-2)}${entry.name}`)) continue;
    swept.removed += 1;
    swept.bytes += size;
  }
  return swept;
}
