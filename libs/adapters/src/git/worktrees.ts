import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { failpoint } from "../failpoint.ts";
import { ASKED_FROM_NOTE } from "../sandbox/repository.ts";
import { isFree, OUT_OF_REACH } from "./checked-out.ts";
import { GitError } from "./errors.ts";
import { exactPattern, exclude } from "./exclude.ts";
import { isHeadDamaged } from "./head-damage.ts";
import { changeGit } from "./locks.ts";
import { noteMove } from "./own-moves.ts";
import { contains, realPathOf } from "./paths.ts";
import type { Place } from "./place.ts";
import { serialised } from "./queue.ts";
import { isRefName, refValue, resolveCommit } from "./refs.ts";
import { requireSpace } from "./space.ts";
import { checkOutAll } from "./whole-checkout.ts";
import { abandonedPaths, claim, claimedPaths, clearClaimed, releaseClaim } from "./worktree-claim.ts";
import { listWorktrees, type Worktree } from "./worktree-list.ts";
import { makeHead, withoutHead } from "./worktree-mending.ts";
import { AT_WORK_NOTE, dropGone, followMove, holdsSomething, mendPointer } from "./worktree-records.ts";
import { openedAt, standingAt } from "./worktree-standing.ts";

export interface WorktreeRequest {
  /** From the top of the main work tree, such as `.worktrees/7`, or absolute. */
  path: string;
  /** Made at the start point if there is none; one that exists is taken as it is. Null for a detached head. */
  branch: string | null;
  startPoint: string;
  /** A branch that a person may have switched the worktree to meanwhile: it is taken as it is, and goes back with the next reset. */
  lentTo?: string;
  /** What has to be free on the disk. */
  minFreeBytes?: number;
}

const MIN_FREE_BYTES = 200_000_000;

/** Gives a whole worktree on that branch: the one that is there, or a new one in place of a half-made one. */
export async function addWorktree(place: Place, request: WorktreeRequest): Promise<{ place: Place; isNew: boolean }> {
  const { isNew, ...standing } = await foundOrMade(place, request);
  const found: Place = { ...standing, own: { branch: request.branch } };
  const note = join(found.gitDir, ASKED_FROM_NOTE);
  // As it is: half a note is written anew by whoever comes next, and a file beside it would stay when this process is killed.
  if ((await readFile(note, "utf8").catch(() => "")) !== place.root) await writeFile(note, place.root);
  await checkOutAll(found);
  return { place: found, isNew };
}

function foundOrMade(place: Place, request: WorktreeRequest): Promise<Place & { isNew: boolean }> {
  return serialised(place.commonDir, async () => {
    const { branch, startPoint } = request;
    if (branch !== null) await refuseBadBranch(place, branch);
    const path = await wholePath(place, request.path);
    await hide(place, path);
    await clearAbandoned(place, path);
    if ((await claimedPaths(place)).includes(path)) await clearClaimed(place, path);
    await mendPointer(place, path);
    await followMove(place, path);
    const known = await standingAt(place, path, branch);
    if (known !== null && !(await isHeadDamaged(known))) return { ...known, isNew: false };
    if ((await standing(place, request, path)) === "standing") return { ...(await opened(place, path)), isNew: false };

    await requireSpace(path, request.minFreeBytes ?? MIN_FREE_BYTES);
    const start = await resolveCommit(place, startPoint);
    await claim(place, path);
    await mkdir(dirname(path), { recursive: true });
    failpoint("git.worktree.add.before");
    await make(place, path, branch, start);
    failpoint("git.worktree.add.after");
    await releaseClaim(place, path);
    return { ...(await opened(place, path)), isNew: true };
  });
}

/** The worktree of this repository that stands at a path, on whichever branch. */
export async function openWorktree(place: Place, path: string): Promise<Place> {
  const whole = await wholePath(place, path);
  await serialised(place.commonDir, () => followMove(place, whole));
  return await opened(place, whole);
}

async function opened(place: Place, path: string): Promise<Place> {
  const found = await openedAt(place, path);
  if (found === null) throw taken(`${path} points at another repository: remove the folder`);
  return found;
}

/** A folder that nobody but us ever makes: it is removed whatever it, or git's record of it, has become. */
export interface KnownWorktree {
  ours: true;
  /** Git's folder of it, as it was when it was made. */
  gitDir?: string;
}

/** Removes a worktree with everything in it; its branch stays. One that is gone already is fine. */
export function removeWorktree(place: Place, path: string, known?: KnownWorktree): Promise<void> {
  return serialised(place.commonDir, async () => {
    const whole = await wholePath(place, path);
    await followMove(place, whole);
    const entry = (await listWorktrees(place)).find((one) => one.path === whole);
    const claimed = (await claimedPaths(place)).includes(whole);
    if (!entry && !claimed && known === undefined) return refuseStranger(whole);
    if (entry && entry.kind !== "linked") throw taken(`${whole} is the repository itself and is never removed`);
    if (entry?.locked && !claimed) throw taken(`${whole} is locked (${entry.locked}): git worktree unlock it first`);
    if (!claimed) await claim(place, whole);
    await clearClaimed(place, whole);
    if (known?.gitDir !== undefined && dirname(known.gitDir) === join(place.commonDir, "worktrees"))
      await rm(known.gitDir, { recursive: true, force: true });
    await releaseClaim(place, whole);
  });
}

/** Clears what killed processes left half made. */
export function clearHalfMade(place: Place): Promise<void> {
  return serialised(place.commonDir, async () => {
    for (const path of await claimedPaths(place)) {
      await clearClaimed(place, path);
      await releaseClaim(place, path);
    }
  });
}

/** Clears what killed processes left at other paths, which nobody may ever ask for again, such as a baseline's. */
async function clearAbandoned(place: Place, wanted: string): Promise<void> {
  for (const path of await abandonedPaths(place)) {
    if (path === wanted) continue;
    // A git that is still at work there is no reason to refuse a worktree elsewhere; the next one tries again.
    await clearClaimed(place, path).then(
      () => releaseClaim(place, path),
      () => {},
    );
  }
}

async function make(place: Place, path: string, branch: string | null, start: string): Promise<void> {
  const add = ["worktree", "add", "--quiet"];
  if (branch === null) return void (await changeGit(place, { args: [...add, "--detach", path, start] }));
  const ref = `refs/heads/${branch}`;
  if ((await refValue(place, ref)) !== null) return void (await changeGit(place, { args: [...add, path, branch] }));
  // An id as the start point keeps git from making the new branch follow a remote one.
  await changeGit(place, { args: [...add, "-b", branch, path, start] });
  noteMove(place, ref, start);
}

/** Whether the wanted worktree is there already; throws where path or branch are taken by something else. */
async function standing(
  place: Place,
  { branch, lentTo, startPoint }: WorktreeRequest,
  path: string,
): Promise<"standing" | "free"> {
  if (await isFree(place, path, branch)) return await refuseHeld(path);
  await dropGone(place, path, branch);
  const all = await listWorktrees(place);
  const here = all.find((one) => one.path === path);
  if (here && lentTo !== undefined && here.branch === lentTo && isUsable(here)) return "standing";
  if (here && !existsSync(join(path, ".git"))) throw taken(`${path} ${await regaining(place, here)}`);
  const lost = here && isUsable(here) ? await withoutHead(place, path) : null;
  if (here && lost === null) return await refuseOther(place, here, branch);
  const elsewhere = branch === null ? undefined : all.find((one) => one.branch === branch);
  if (elsewhere) throw taken(`the branch ${branch} is checked out in ${elsewhere.path}${freeing(elsewhere)}`);
  if (here && lost !== null) {
    const on = await makeHead(place, lost, { branch, startPoint });
    // From here on it is a worktree like any other, also where a person had left it elsewhere.
    return await refuseOther(place, { ...here, branch: on }, branch);
  }
  return await refuseHeld(path);
}

async function refuseHeld(path: string): Promise<"free"> {
  if (await holdsSomething(path)) throw taken(`${path} is in the way and no worktree of this repository: move it away`);
  return "free";
}

async function refuseOther(place: Place, here: Worktree, branch: string | null): Promise<"standing"> {
  // Git's own word for a worktree that somebody else is just making, or was killed over.
  if (here.locked === "initializing") throw taken(`${here.path} is half made, and not by us: remove it, and try again`);
  if (isUsable(here) && (here.branch === branch || (await isAtWork(place, here.path)))) return "standing";
  const what = here.branch === null ? "a detached head" : `the branch ${here.branch}`;
  const wanted = branch ?? "a detached head";
  const back = `git -C ${here.path} switch ${branch ?? "--detach"}`;
  throw taken(`${here.path} is a worktree on ${what}, not ${wanted}: switch it back (${back}), or remove it`);
}

function isUsable({ kind, prunable }: Worktree): boolean {
  return kind === "linked" && prunable === null;
}

/** A process of ours was killed at work there: HEAD is put back where it belongs before anything moves. */
async function isAtWork(place: Place, path: string): Promise<boolean> {
  const found = await openedAt(place, path);
  return found !== null && existsSync(join(found.gitDir, AT_WORK_NOTE));
}

function freeing({ kind, prunable }: Worktree): string {
  if (prunable !== null) return OUT_OF_REACH;
  return kind === "linked"
    ? ": remove that worktree first, or use another branch"
    : ": switch to another branch there first";
}

async function regaining(place: Place, { locked }: Worktree): Promise<string> {
  if (locked !== null) return `is locked (${locked}) and has no .git: git worktree unlock it first`;
  return `has lost its .git: git -C ${await mainRoot(place)} worktree repair, or move it away`;
}

function taken(message: string): GitError {
  return new GitError("worktree-taken", message);
}

async function refuseStranger(path: string): Promise<void> {
  if (await holdsSomething(path)) throw taken(`${path} is no worktree of this repository and was left alone`);
}

async function refuseBadBranch({ root }: Place, branch: string): Promise<void> {
  if (!/^(?:-|@\{|HEAD$)/.test(branch) && (await isRefName(root, `refs/heads/${branch}`))) return;
  throw new GitError("unknown-ref", `${JSON.stringify(branch)} is no name for a branch: use letters, digits, - and /`);
}

/** The path as git itself names it, and as the rest of this file compares it. */
async function wholePath(place: Place, path: string): Promise<string> {
  const top = await mainRoot(place);
  const wanted = resolve(top, path);
  if (!isAbsolute(path) && (wanted === top || !contains(top, wanted))) {
    throw new GitError("failed", `${path} leads out of ${top}: name a folder in it, or an absolute path`);
  }
  return await realPathOf(wanted);
}

const mainRoots = new WeakMap<Place, string>();

async function mainRoot(place: Place): Promise<string> {
  const known = mainRoots.get(place);
  if (known !== undefined) return known;
  const isMain = place.commonDir === place.gitDir && place.commonDir === join(place.root, ".git");
  const [main] = isMain ? [] : await listWorktrees(place);
  const root = main?.kind === "main" ? main.path : place.root;
  mainRoots.set(place, root);
  return root;
}

/** Keeps a worktree inside the main work tree out of its status, and safe from its clean-ups. */
async function hide(place: Place, path: string): Promise<void> {
  const top = await mainRoot(place);
  if (!contains(top, path)) return;
  const inside = relative(top, path);
  await exclude(place, [inside.startsWith(".worktrees/") ? "/.worktrees/" : `${exactPattern(inside)}/`]);
}
