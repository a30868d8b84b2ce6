import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AT_WORK_NOTE, changedSubmodule, type Repo } from "@anneal/adapters/git";
import { isAtRest } from "@anneal/core";
import type { ItemRef, LoopState } from "@anneal/types";
import { UsageError } from "../errors.ts";
import { folderOf, KEPT_FILES, keptRef } from "./item-key.ts";
import { historyOf, type LoopHistory, loopsOf } from "./loop-history.ts";
import type { ProjectStore } from "./store-log.ts";

/** In git's own folder of the worktree: while it is there, nobody of ours has worked in the worktree since it was put in order. */
const NOTE = "anneal-at-rest";

/** What a worktree should hold. */
type Held = Pick<LoopState, "head" | "tree">;

/** Puts an item's worktree in order once nobody works in it any more, and notes that: what differs later is a person's. */
export async function leaveInOrder(main: Repo, item: ItemRef, state: LoopState): Promise<LoopState> {
  const path = join(main.root, ".worktrees", folderOf(item));
  // Without the note the next one here takes everything for leftovers of ours, as after a crash.
  if (existsSync(join(path, ".git")) && !isCommitting(state)) await putInOrder(main, path, state).catch(() => {});
  return state;
}

/** The same where a word has ended a loop whose process was killed: what is done in its worktree from now on is a person's. */
export async function orderAfterKill(main: Repo, { started: { item }, state }: Pick<LoopHistory, "started" | "state">) {
  if (isAtRest(state.stage) && !(await isPutInOrder(main, item).catch(() => true)))
    await leaveInOrder(main, item, state);
}

async function putInOrder(main: Repo, path: string, state: LoopState): Promise<void> {
  const repo = await main.openWorktree(path);
  const at = await repo.headCommit();
  // A branch that is gone, or a HEAD that git cannot read: then nothing here is in order, and this throws.
  if (at === null) await repo.status();
  // A person's own commits stay as they are: whoever works here next sees to them.
  const head = state.head ?? state.base;
  if (at !== null && knownHeads(state).includes(at)) {
    if ((await changedFolder(repo, state)) !== null) await repo.restore({ head: at, tree: state.tree });
  } else if (at !== null && (await repo.isByAgents(at, head))) await repo.restore({ head, tree: state.tree });
  await writeFile(join(repo.gitDir, NOTE), "");
  await rm(join(repo.gitDir, AT_WORK_NOTE), { force: true });
}

/** Whether nobody of ours was cut off in an item's worktree: what is there is then what we left, or a person's. */
export async function isPutInOrder(main: Repo, item: ItemRef): Promise<boolean> {
  const path = join(main.root, ".worktrees", folderOf(item));
  if (!existsSync(join(path, ".git"))) return true;
  return existsSync(join((await main.openWorktree(path)).gitDir, NOTE));
}

/** Before anybody works in a worktree: changes that somebody made there since it came to rest are theirs to keep or discard. */
export async function refuseUncommitted(repo: Repo, held: Held): Promise<void> {
  if (!existsSync(join(repo.gitDir, NOTE))) return;
  const folder = await changedFolder(repo, held);
  if (folder === null) return;
  throw new UsageError(`${folder} holds changes that are not committed: commit them, or discard them`);
}

/** The same before a new loop begins: what the last one recorded and did not commit is ours, and kept beside its commits. */
export async function keepUncommitted(repo: Repo, store: ProjectStore, item: ItemRef): Promise<void> {
  const left = leftUncommitted(store, item);
  await refuseUncommitted(repo, left);
  if (left.tree === null || !existsSync(join(repo.gitDir, NOTE)) || (await repo.status()) === "clean") return;
  await repo.keepTree(`${keptRef(folderOf(item), loopsOf(store, item).length)}${KEPT_FILES}`, left.tree);
}

/** What the last loop of an item left in its worktree on top of what is checked out there, or of its own head where it goes on. */
export function leftUncommitted(store: ProjectStore | null, item: ItemRef): Held {
  const last = store === null ? undefined : loopsOf(store, item).at(-1);
  if (store === null || last === undefined) return { head: null, tree: null };
  const { stage, head, tree } = historyOf(store, last).state;
  return { head: stage === "ended" ? null : head, tree };
}

/** From here on what lies about in the worktree is ours. */
export async function workBegins(repo: Repo): Promise<void> {
  await writeFile(join(repo.gitDir, AT_WORK_NOTE), "");
  await rm(join(repo.gitDir, NOTE), { force: true });
}

function knownHeads({ head, base, documents }: LoopState): string[] {
  return [head ?? base, ...(typeof documents === "object" ? [documents.commit] : [])];
}

/** The worktree or the submodule whose files are neither those of the commit that is checked out nor what is recorded on top of it. */
async function changedFolder(repo: Repo, { tree, head }: Held): Promise<string | null> {
  // No tree has the files inside a submodule.
  const submodule = await changedSubmodule(repo);
  if (submodule !== null) return join(repo.root, submodule);
  if ((await repo.status()) === "clean") return null;
  // Where only the branch was moved, the files may still be what is recorded.
  const recorded = tree ?? (head === null ? null : await repo.treeOf(head));
  return recorded !== null && (await repo.worktreeTree()) === recorded ? null : repo.root;
}

/** A commit that is decided may be made already, or still be to make. */
function isCommitting(state: LoopState): boolean {
  const kept = state.stage === "waiting-for-human" ? state.kept.plan : undefined;
  return kept !== undefined || (state.stage === "committing" && state.plan !== null);
}
