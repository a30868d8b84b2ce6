import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isAtRest } from "@anneal/core";
import { changedSubmodule, type Repo } from "@anneal/git";
import type { ItemRef, LoopState } from "@anneal/types";
import type { Workspaces } from "@anneal/workspace";
import { UsageError } from "../errors/errors.ts";
import { shellWord } from "../errors/shell-word.ts";
import { folderOf, KEPT_FILES, keptRef } from "../history/item-key.ts";
import { historyOf, type LoopHistory, loopsOf } from "../history/loop-history.ts";
import type { ProjectStore } from "../history/store-log.ts";

/** In `.git` of a workspace: while it is there, nobody of ours has worked there since it was put in order, so changes are a person's. */
const NOTE = "anneal-at-rest";

/** What a workspace should hold. */
type Held = Pick<LoopState, "head" | "tree">;

/** Puts an item's workspace in order once nobody works in it any more, and notes that: what differs later is a person's. */
export async function leaveInOrder(
  workspaces: Workspaces,
  { item, branch }: { item: ItemRef; branch: string | null },
  state: LoopState,
): Promise<LoopState> {
  // Without the note the next one here takes everything for leftovers of ours, as after a crash.
  if (branch !== null && !isCommitting(state))
    await putInOrder(await workspaces.open(folderOf(item), branch), state).catch(() => {});
  return state;
}

/** The same where a word has ended a loop whose process was killed: what is done in its workspace from now on is a person's. */
export async function orderAfterKill(
  workspaces: Workspaces,
  { started: { item }, state }: Pick<LoopHistory, "started" | "state">,
  branch: string | null,
): Promise<void> {
  if (!isAtRest(state.stage) || restsAt(workspaces, item)) return;
  await leaveInOrder(workspaces, { item, branch }, state);
}

async function putInOrder(repo: Repo | null, state: LoopState): Promise<void> {
  if (repo === null) return;
  const at = await repo.headCommit();
  const head = knownHeads(state).find((one) => one === at) ?? state.head ?? state.base;
  if (!(await repo.isAt(head)) || (await changedFolder(repo, state)) !== null)
    await repo.restore({ head, tree: state.tree });
  await writeFile(join(repo.gitDir, NOTE), "");
}

/** Whether nobody of ours was cut off in an item's workspace: what is there is then what we left, or a person's. */
export function restsAt(workspaces: Workspaces, item: ItemRef): boolean {
  const gitDir = join(workspaces.pathOf(folderOf(item)), ".git");
  return !existsSync(gitDir) || existsSync(join(gitDir, NOTE));
}

/** Before anybody works in a workspace: where somebody switched it since it came to rest, they may have commits on that branch. */
export async function refuseElsewhere(repo: Repo, [branch, ...more]: [string, ...string[]]): Promise<void> {
  if (!existsSync(join(repo.gitDir, NOTE))) return;
  const at = await repo.branchName();
  if (at !== null && [branch, ...more].includes(at)) return;
  const where = at === null ? "a detached head" : at;
  const keep = at === null ? "keep your commits with git branch mine, then " : "";
  throw new UsageError(
    `${repo.root} is on ${where}, not on ${branch}: ${keep}switch back with git -C ${shellWord(repo.root)} switch ${branch}`,
  );
}

/** Before anybody works in a workspace: changes that somebody made there since it came to rest are theirs to keep or discard. */
export async function refuseUncommitted(repo: Repo, held: Held): Promise<void> {
  if (!existsSync(join(repo.gitDir, NOTE))) return;
  const folder = await changedFolder(repo, held);
  if (folder === null) return;
  throw new UsageError(`${folder} has uncommitted changes: commit or discard them`);
}

/** The same before a new loop begins: what the last one recorded and did not commit is ours, and kept next to its commits. */
export async function keepUncommitted(
  workspaces: Workspaces,
  repo: Repo,
  { store, item }: { store: ProjectStore; item: ItemRef },
): Promise<void> {
  const left = leftUncommitted(store, item);
  await refuseUncommitted(repo, left);
  if (left.tree === null || !existsSync(join(repo.gitDir, NOTE)) || (await repo.status()) === "clean") return;
  await workspaces.keep(repo, `${keptRef(folderOf(item), loopsOf(store, item).length)}${KEPT_FILES}`, left.tree);
}

/** What the last loop of an item left in its workspace on top of what is checked out there, or of its own head where it goes on. */
export function leftUncommitted(store: ProjectStore | null, item: ItemRef): Held {
  const last = store === null ? undefined : loopsOf(store, item).at(-1);
  if (store === null || last === undefined) return { head: null, tree: null };
  const { stage, head, tree } = historyOf(store, last).state;
  return { head: stage === "ended" ? null : head, tree };
}

/** From here on what lies about in the workspace is ours. */
export async function workBegins(repo: Repo): Promise<void> {
  await rm(join(repo.gitDir, NOTE), { force: true });
}

function knownHeads({ head, base, documents }: LoopState): string[] {
  return [head ?? base, ...(typeof documents === "object" ? [documents.commit] : [])];
}

/** The folder or the submodule whose files are neither those of the commit that is checked out nor what is recorded on top of it. */
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
