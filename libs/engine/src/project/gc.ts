import { existsSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@anneal/adapters";
import { BASELINE_FOLDER } from "@anneal/adapters/checks";
import { changedSubmodule, isOnlyInSubmodules, type Repo } from "@anneal/adapters/git";
import { removeAbandoned } from "@anneal/adapters/sandbox";
import { leftBy } from "@anneal/core";
import type { ItemRef } from "@anneal/types";
import { settleLeftAttempts } from "../agent-attempt.ts";
import { becomeOwner, type GitFolder, logFolderOf, openBlobs, openStore, type Swept } from "../embedded/index.ts";
import { REVIEW_FOLDER } from "../review-trees.ts";
import { shellWord } from "../shell-word.ts";
import { folderOf, itemOf, keyOfRow, treesRefOf } from "./item-key.ts";
import { historyOf, loopsOf } from "./loop-history.ts";
import { keepOutOfCommits } from "./place.ts";
import type { ProjectStore } from "./store-log.ts";

export interface Collected {
  worktrees: { path: string; item: string }[];
  /** Worktrees of ended loops that hold work which is nowhere else. */
  kept: { path: string; item: string; because: string }[];
  blobs: Swept;
}

/** Blobs this young may belong to an event that is about to be written. */
const YOUNG_MS = 60 * 60_000;

/** Removes what no loop needs any more; null where another process owns the project. */
export async function collectGarbage(
  repo: Repo,
  { clock, dryRun, tell = () => {} }: { clock: Clock; dryRun: boolean; tell?: (item: string, message: string) => void },
): Promise<Collected | null> {
  // A project that nobody has made is not made by looking for what it could free.
  const homes = [join(repo.root, ".automaker"), join(repo.root, ".worktrees"), logFolderOf(repo).folder];
  if (!homes.some((path) => existsSync(path))) return { worktrees: [], kept: [], blobs: { removed: 0, bytes: 0 } };
  await keepOutOfCommits(repo);
  const owner = becomeOwner(repo);
  if (owner === null) return null;
  const store: ProjectStore = openStore(repo, { clock });
  try {
    if (!dryRun) await settleLeftAttempts(repo, tell);
    const { worktrees, kept } = await idleWorktrees(repo, store);
    const referenced = blobsInLog(store);
    if (dryRun) return { worktrees, kept, blobs: await wouldSweep(repo, referenced, clock.now() - YOUNG_MS) };
    for (const { path } of worktrees) await repo.removeWorktree(path);
    await repo.clearHalfMade();
    await removeAbandoned();
    for (const item of idleItems(store)) await repo.dropKept(treesRefOf(item));
    return { worktrees, kept, blobs: openBlobs(repo, { clock }).sweep(referenced, YOUNG_MS) };
  } finally {
    store.close();
    owner.release();
  }
}

/** The worktrees of items whose loops have all ended; what is not committed there is left alone. */
async function idleWorktrees(repo: Repo, store: ProjectStore): Promise<Pick<Collected, "worktrees" | "kept">> {
  const ended = new Map(idleItems(store).map((item) => [folderOf(item), item]));
  const result: Pick<Collected, "worktrees" | "kept"> = { worktrees: [], kept: [] };
  const home = join(repo.root, ".worktrees");
  // Worktrees for baselines and for reviewers are ours alone and only in use while something runs; nothing does now.
  const isPassing = (path: string) =>
    [BASELINE_FOLDER, REVIEW_FOLDER].some((ours) => path.startsWith(join(repo.root, ours)));
  // Git lists them by the old place after the project's folder was moved; whoever opens one leads it back.
  const there = (await readdir(home).catch(() => [])).filter((name) => ended.has(name) || isPassing(join(home, name)));
  for (const name of there) await repo.openWorktree(join(home, name)).catch(() => null);
  for (const { path, kind, head, locked } of await repo.listWorktrees()) {
    const item = path.startsWith(`${home}/`) ? path.slice(home.length + 1) : null;
    if (item === null || kind !== "linked") continue;
    if (isPassing(path) && locked === null) {
      result.worktrees.push({ path, item });
      continue;
    }
    const known = ended.get(item);
    if (known === undefined) continue;
    const because =
      locked !== null
        ? `it is locked (${locked})`
        : await whyKept(repo, store, known, { path, head }).catch((error: Error) => unreadable(path, error));
    if (because === null) result.worktrees.push({ path, item });
    else result.kept.push({ path, item, because });
  }
  return result;
}

/** Git takes commits on a detached head without a word, and a worktree that goes takes the last name of them along. */
async function whyKept(
  repo: Repo,
  store: ProjectStore,
  item: ItemRef,
  { path, head }: { path: string; head: string | null },
): Promise<string | null> {
  // One that somebody deleted has only its head left.
  if (existsSync(path)) {
    const tree = await repo.openWorktree(path).catch(() => null);
    if (tree === null) return "its .git leads elsewhere";
    if ((await tree.status()) === "changed") return "it holds uncommitted changes";
    const submodule = await changedSubmodule(tree);
    if (submodule !== null) return `the submodule ${submodule} holds changes there`;
    if (await isOnlyInSubmodules(tree)) return "a submodule there holds a stash, or commits that are nowhere else";
    // What a rebase is about to put back has no other name than the ones in the worktree's own folder.
    if (UNDER_WAY.some((name) => existsSync(join(tree.gitDir, name))))
      return "a rebase, merge or bisect is going on there";
  }
  if (head === null || (await repo.isInAnyRef(head))) return null;
  const states = loopsOf(store, item).map((row) => historyOf(store, row).state);
  if (states.some((state) => head === state.head || head === leftBy(state))) return null;
  return `it holds commits that no branch has (${head.slice(0, 12)})`;
}

/** What is in it cannot be told, and one worktree is no reason to collect nothing else. */
function unreadable(path: string, { message }: Error): string {
  return `git cannot read it (${message}): once nothing in it is needed, rm -rf ${shellWord(path)}`;
}

const UNDER_WAY = ["rebase-merge", "rebase-apply", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG"];

/** Items whose loops have all ended. */
function idleItems(store: ProjectStore): ItemRef[] {
  const keys = (open: boolean) => store.loops({ open }).map(keyOfRow);
  const open = new Set(keys(true));
  return [...new Set(keys(false))].filter((key) => !open.has(key)).map(itemOf);
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

async function wouldSweep(repo: GitFolder, keep: ReadonlySet<string>, before: number): Promise<Swept> {
  const folder = logFolderOf(repo).blobs;
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
