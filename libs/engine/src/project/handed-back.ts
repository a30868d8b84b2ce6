import { existsSync } from "node:fs";
import { join } from "node:path";
import { GitError, type Repo } from "@anneal/adapters/git";
import { leftBy } from "@anneal/core";
import type { ItemRef } from "@anneal/types";
import { UsageError } from "../errors.ts";
import { isPartOf } from "../part-of.ts";
import { folderOf, itemOf, keptRef, keyOf } from "./item-key.ts";
import { historyOf, loopsOf } from "./loop-history.ts";
import type { ProjectParts } from "./prepare.ts";
import type { ProjectStore } from "./store-log.ts";
import { isPutInOrder, leftUncommitted, refuseUncommitted } from "./worktree-rest.ts";

/** What a person committed in an item's detached worktree and the item's branch does not have. */
export interface HandedBack {
  item: ItemRef;
  branch: string;
  /** The worktree. */
  path: string;
  at: string;
  /** Where the branch stands. */
  tip: string;
  /** Whether the branch only has to go on; else where it stood is kept. */
  isAhead: boolean;
}

/** What can be read while somebody else runs the project; without a store nothing has run yet. */
interface Reading {
  repo: Repo;
  store: ProjectStore | null;
}

/** Whoever takes an item over finds its work in a worktree, and git takes commits on a detached head without a word. */
export async function handedBack(
  { repo: main, store }: Reading,
  item: ItemRef,
  branch: string,
): Promise<HandedBack | null> {
  const path = join(main.root, ".worktrees", folderOf(item));
  const last = store === null ? undefined : loopsOf(store, item).at(-1);
  if (store === null || last === undefined) return null;
  if (!existsSync(join(path, ".git")) || !(await isPutInOrder(main, item))) return null;
  const worktree = await inOrder({ repo: main, store }, item, branch);
  const at = (await worktree.branchName()) === null ? await worktree.headCommit() : null;
  const tip = await main.resolve(`refs/heads/${branch}`).catch(() => null);
  if (at === null || tip === null || (await isPartOf(main, at, tip))) return null;
  const { state } = historyOf(store, last);
  if (at === state.head || at === leftBy(state)) return null;
  const isAhead = await isPartOf(main, tip, at);
  if (!isAhead) refuseTwoWays(tip === leftBy(state), { path, at, branch });
  return { item, branch, path, at, tip, isAhead };
}

/** Brings it to the branch, before that is reviewed as it stands or built on. */
export async function bringToBranch(
  { repo: main, store, tell }: Pick<ProjectParts, "repo" | "store" | "tell">,
  { item, branch, path, at, tip, isAhead }: HandedBack,
): Promise<void> {
  if (isAhead) await moved(main.moveBranch({ branch, from: tip, to: at }));
  else {
    await main.keepTree(keptRef(folderOf(item), loopsOf(store, item).length), tip);
    await moved(main.placeBranch({ branch, from: tip, to: at }));
  }
  tell?.(keyOf(item), `what you committed in ${path} (${at.slice(0, 12)}) is on ${branch} now`);
}

/** The worktree, with nothing in it that is not committed; one that git cannot read is mended first. */
async function inOrder({ repo: main, store }: Reading, item: ItemRef, branch: string): Promise<Repo> {
  const path = join(main.root, ".worktrees", folderOf(item));
  const left = leftUncommitted(store, item);
  const found = await main.openWorktree(path);
  try {
    await refuseUncommitted(found, left);
    return found;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const mended = await main.addWorktree({ path, branch: null, startPoint: `refs/heads/${branch}`, lentTo: branch });
    await refuseUncommitted(mended, left);
    return mended;
  }
}

/** Refuses to begin where a person's work lies about in the item's worktree. */
export async function refuseUncommittedAt({ repo: main, store }: Reading, item: ItemRef): Promise<void> {
  const path = join(main.root, ".worktrees", folderOf(item));
  const worktree = existsSync(join(path, ".git")) ? await main.openWorktree(path).catch(() => null) : null;
  if (worktree === null) return;
  await refuseUncommitted(worktree, leftUncommitted(store, item)).catch((error: unknown) => {
    // What git cannot read is mended before anybody works there, and looked at then.
    if (!(error instanceof GitError)) throw error;
  });
}

export interface Refused {
  key: string;
  why: string;
}

/** Those of the items that a run would refuse for it. */
export async function refusedOf(reading: Reading, keys: readonly string[]): Promise<Refused[]> {
  const refused: Refused[] = [];
  for (const key of keys) {
    await refuseUncommittedAt(reading, itemOf(key)).catch((error: unknown) => {
      if (!(error instanceof UsageError)) throw error;
      refused.push({ key, why: error.message });
    });
  }
  return refused;
}

/** Where the branch has gone on as well, nobody but the person knows what is meant. */
function refuseTwoWays(isAsLeft: boolean, { path, at, branch }: { path: string; at: string; branch: string }): void {
  if (isAsLeft) return;
  throw new UsageError(
    `${path} holds commits (${at.slice(0, 12)}) that ${branch} does not have, and ${branch} has others: merge one into the other, ` +
      `or leave them out with git -C ${path} switch --detach ${branch}`,
  );
}

async function moved(move: Promise<void>): Promise<void> {
  await move.catch((error: unknown) => {
    throw error instanceof GitError ? new UsageError(error.message, { cause: error }) : error;
  });
}
