import { awaitsResolution, leftBy } from "@anneal/core";
import type { Repo } from "@anneal/git";
import type { ItemRef, LoopState } from "@anneal/types";
import { UsageError } from "../errors/errors.ts";
import { folderOf, itemOf, keyOf } from "../history/item-key.ts";
import { loopsOf } from "../history/loop-history.ts";
import type { PrepareRequest } from "../items/kind.ts";
import type { ItemWorkspace, ProjectParts } from "../items/prepare.ts";
import { restoreAdvice, restoreAdviceForGone } from "../work/moved-since.ts";
import { isPartOf } from "../work/part-of.ts";
import {
  keepUncommitted,
  leftUncommitted,
  refuseElsewhere,
  refuseUncommitted,
  restsAt,
  workBegins,
} from "./workspace-rest.ts";
import { projectWorkspaces } from "./workspaces.ts";

type Parts = Pick<ProjectParts, "repo" | "store" | "workspaces" | "tell">;

/** Before anything about an item is decided: what a person committed in its workspace goes to the branch in the user's repository. */
export async function takePersonsCommits(
  { workspaces, tell }: Pick<Parts, "workspaces" | "tell">,
  { item, branch, before }: { item: ItemRef; branch: string; before: PrepareRequest["before"] },
): Promise<void> {
  const name = folderOf(item);
  if (!restsAt(workspaces, item)) return;
  // A loop that goes on knows nothing of them, and would refuse the branch that has them.
  if ("state" in before && !awaitsResolution(before.state))
    return await refuseCommits(workspaces, { item, branch }, before.state);
  if ((await workspaces.takeIn(name, branch)) === "taken")
    tell?.(keyOf(item), `your commits in ${workspaces.pathOf(name)} are now on ${branch}`);
}

async function refuseCommits(
  workspaces: Parts["workspaces"],
  { item, branch }: Pick<WorkspaceArgs, "item" | "branch">,
  state: LoopState,
): Promise<void> {
  const there = workspaces.look(folderOf(item));
  if (there === null || (await there.branchName()) !== branch) return;
  const at = await there.headCommit();
  const saw = leftBy(state);
  if (at === null || at === saw || at === (state.head ?? state.base)) return;
  if (!(await isPartOf(there, saw, at))) return;
  const key = keyOf(item);
  throw new UsageError(
    `${there.root} has commits that its loop did not make (${at.slice(0, 12)}): remove them (git -C ${there.root} reset --hard ${saw.slice(0, 12)}), or have them reviewed as they are (anneal take-over ${key}, then anneal run ${key})`,
  );
}

export interface WorkspaceArgs {
  item: ItemRef;
  branch: string;
  /** Where a loop that begins starts. */
  start: string;
  request: Pick<PrepareRequest, "before">;
}

/** The workspace of an item's loop: as the log says that it should be, or at the start of a loop that begins. */
export async function itemWorkspace(
  parts: Parts,
  { item, branch, start, request }: WorkspaceArgs,
): Promise<ItemWorkspace> {
  const { repo: main, workspaces, store } = parts;
  const { before } = request;
  const name = folderOf(item);
  if ("state" in before) await refuseMovedBranch(main, { item, branch }, before.state);
  const there = await workspaces.open(name, branch);
  if (there !== null) {
    const { endLeftovers } = await import("@anneal/system/processes/leftovers");
    endLeftovers(there.root);
    // A loop that begins may be on another branch than the last one.
    await refuseElsewhere(there, [loopsOf(store, item).at(-1)?.summary.branch ?? branch, branch]);
    if ("state" in before) await refuseUncommitted(there, before.state);
    else await keepUncommitted(workspaces, there, { store, item });
  }
  if (!("state" in before)) await beginAt(main, branch, start);
  // What a kill leaves half reset is ours, and so is what a loop that begins resets.
  const isOurs = !("state" in before) || !restsAt(workspaces, item);
  const repo = await workspaces.prepare({ name, branch, isOurs });
  if (!("state" in before)) {
    await workBegins(repo);
    if (!repo.isNew) await repo.resetTo(start, { kind: "commit" });
    return { ...repo, isFresh: repo.isNew, isUntouched: repo.isNew || before.earlierLoops === 0 };
  }
  if (!isDecided(before.state)) {
    const { head, base, tree } = before.state;
    if (tree !== null && repo.isNew) await refuseLost(repo, tree, keyOf(item));
    const stands = awaitsResolution(before.state) ? await onTop(repo, head ?? base) : (head ?? base);
    await repo.restore({ head: stands, tree: stands === (head ?? base) ? tree : null });
  }
  await workBegins(repo);
  return repo;
}

/** Where a workspace stands, if that holds a head; else that head, since what dropped it resolves nothing. */
export async function onTop(repo: Repo, head: string): Promise<string> {
  const tip = await repo.headCommit();
  return tip !== null && (await isPartOf(repo, head, tip)) ? tip : head;
}

/** What was recorded and not committed went with the workspace that somebody removed. */
async function refuseLost(repo: Repo, tree: string, key: string): Promise<void> {
  const isHere = await repo.treeOf(tree).then(
    () => true,
    () => false,
  );
  if (isHere) return;
  throw new UsageError(
    `the workspace ${repo.root} was deleted with uncommitted work: start over with anneal stop ${key}, then anneal run ${key}`,
  );
}

/** Whatever stood there before is kept by whoever decided on the start. */
async function beginAt(main: Repo, branch: string, start: string): Promise<void> {
  const tip = await main.resolve(`refs/heads/${branch}`).catch(() => null);
  if (tip === start) return;
  if (tip !== null && (await isPartOf(main, tip, start))) await main.moveBranch({ branch, from: tip, to: start });
  else await main.updateBranch({ branch, from: tip, to: start });
}

/** Commits that somebody else made meanwhile would be lost, or pass unseen. */
async function refuseMovedBranch(
  main: Repo,
  { item, branch }: Pick<WorkspaceArgs, "item" | "branch">,
  state: LoopState,
): Promise<void> {
  const stands = await main.resolve(`refs/heads/${branch}`).catch(() => null);
  const plan = state.stage === "committing" ? state.plan : state.stage === "waiting-for-human" ? state.kept.plan : null;
  const saw = leftBy(state);
  const heads = [state.head ?? state.base, saw];
  if (stands !== null && (plan != null || heads.includes(stands))) return;
  if (stands !== null && awaitsResolution(state) && (await isPartOf(main, saw, stands))) return;
  const [what, back] =
    stands === null
      ? ["is gone", restoreAdviceForGone(branch, saw)]
      : ["has moved", `git branch mine ${branch}, then ${restoreAdvice(branch, saw)}`];
  const key = keyOf(item);
  throw new UsageError(
    `the branch ${branch} ${what} since the loop last used it: restore it (${back}), or end the loop with anneal stop ${key}`,
  );
}

/** A commit that is decided may be made already; carrying it out finds out by itself. */
function isDecided(state: LoopState): boolean {
  return state.stage === "committing" && state.plan !== null;
}

/** What a run would refuse, for those who only look: a person's uncommitted work in the item's workspace. */
export async function refuseUncommittedAt(
  { repo, store }: Pick<Parts, "repo"> & { store: ProjectParts["store"] | null },
  item: ItemRef,
): Promise<void> {
  const there = (await projectWorkspaces(repo)).look(folderOf(item));
  if (there !== null) await refuseUncommitted(there, leftUncommitted(store, item));
}

export interface Refused {
  key: string;
  why: string;
}

/** Those of the items that a run would refuse for it. */
export async function refusedOf(
  reading: Parameters<typeof refuseUncommittedAt>[0],
  keys: readonly string[],
): Promise<Refused[]> {
  const refused: Refused[] = [];
  for (const key of keys) {
    await refuseUncommittedAt(reading, itemOf(key)).catch((error: unknown) => {
      if (!(error instanceof UsageError)) throw error;
      refused.push({ key, why: error.message });
    });
  }
  return refused;
}
