import { existsSync, rmSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@anneal/adapters";
import { BASELINE_NAME } from "@anneal/adapters/checks";
import { changedSubmodule, isOnlyInSubmodules, type Repo } from "@anneal/git";
import { removeAbandoned } from "@anneal/system/processes/temporary";
import type { ItemRef } from "@anneal/types";
import type { Workspaces } from "@anneal/workspace";
import { shellWord } from "../errors/shell-word.ts";
import { folderOf, itemOf, keyOfRow } from "../history/item-key.ts";
import type { ProjectStore } from "../history/store-log.ts";
import { becomeOwner, type GitFolder, logFolderOf, openBlobs, openStore, type Swept } from "../log/index.ts";
import { keepOutOfCommits } from "../repository/project-at.ts";
import { REVIEW_NAME } from "../review/review-copies.ts";
import { mapConcurrently } from "../review/reviewers/map-concurrently.ts";
import { projectWorkspaces } from "../workspaces/workspaces.ts";

export interface Collected {
  workspaces: { path: string; item: string }[];
  /** Workspaces of ended loops that hold work which is nowhere else. */
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
  // A project that nobody has made is not made by looking for what it could free.
  const homes = [join(repo.root, ".automaker"), logFolderOf(repo).folder];
  if (!homes.some((path) => existsSync(path))) return { workspaces: [], kept: [], blobs: { removed: 0, bytes: 0 } };
  await keepOutOfCommits(repo);
  const owner = becomeOwner(repo);
  if (owner === null) return null;
  const store: ProjectStore = openStore(repo, { clock });
  try {
    const workspaces = await projectWorkspaces(repo);
    const { workspaces: idle, kept } = await idleWorkspaces(workspaces, store);
    const referenced = blobsInLog(store);
    if (dryRun) return { workspaces: idle, kept, blobs: await wouldSweep(repo, referenced, clock.now() - YOUNG_MS) };
    // Nothing else runs here, and a thread that is woken for each file takes twice as long.
    for (const { path } of idle) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    await removeAbandoned();
    return { workspaces: idle, kept, blobs: openBlobs(repo, { clock }).sweep(referenced, YOUNG_MS) };
  } finally {
    store.close();
    owner.release();
  }
}

/** The workspaces of items whose loops have all ended; what is nowhere else is left alone. */
async function idleWorkspaces(
  workspaces: Workspaces,
  store: ProjectStore,
): Promise<Pick<Collected, "workspaces" | "kept">> {
  const ended = new Set(idleItems(store).map(folderOf));
  // Copies for baselines and for reviewers are only in use while something runs; nothing does now.
  const isPassing = (name: string) => [BASELINE_NAME, REVIEW_NAME].some((ours) => name.startsWith(ours));
  const idle = (await workspaces.names()).filter((name) => isPassing(name) || ended.has(name));
  const settled = await workspaces.settled(idle.filter((name) => !isPassing(name)));
  const looked = await mapConcurrently(
    idle,
    LOOKS_AT_ONCE,
    async (item) => {
      const path = workspaces.pathOf(item);
      if (isPassing(item) || (settled.has(item) && !isUnderWay(path))) return { path, item, because: null };
      const because = await whyKept(workspaces, item).catch((error: Error) => unreadable(path, error));
      return { path, item, because };
    },
    () => false,
  );
  return {
    workspaces: looked.flatMap(({ path, item, because }) => (because === null ? [{ path, item }] : [])),
    kept: looked.flatMap(({ path, item, because }) => (because === null ? [] : [{ path, item, because }])),
  };
}

const LOOKS_AT_ONCE = 8;

async function whyKept(workspaces: Workspaces, name: string): Promise<string | null> {
  const tree = workspaces.look(name);
  if (tree === null) return null;
  if ((await tree.status()) === "changed") return "it has uncommitted changes";
  const submodule = await changedSubmodule(tree);
  if (submodule !== null) return `the submodule ${submodule} has uncommitted changes`;
  if (await isOnlyInSubmodules(tree)) return "a submodule has a stash, or commits that exist nowhere else";
  if (isUnderWay(tree.root)) return "a rebase, merge or bisect is in progress in it";
  const [commit] = await workspaces.unpublished(name);
  if (commit === undefined) return null;
  const path = shellWord(tree.root);
  const ways = `git fetch ${path} ${commit.slice(0, 12)} fetches them, rm -rf ${path} deletes them`;
  return `it has commits that your repository does not have (${commit.slice(0, 12)}): ${ways}`;
}

/** Its content is unknown, and one workspace is no reason to collect nothing else. */
function unreadable(path: string, { message }: Error): string {
  return `git cannot read it (${message}): if you need nothing in it, delete it with rm -rf ${shellWord(path)}`;
}

function isUnderWay(path: string): boolean {
  return UNDER_WAY.some((one) => existsSync(join(path, ".git", one)));
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
