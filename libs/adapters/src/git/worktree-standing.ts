import { lstat, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { findRepository } from "./find-repository.ts";
import { readHead } from "./head-file.ts";
import type { Place } from "./place.ts";

/** In git's own folder of a worktree: while it is there, somebody of ours works there, so a branch that was switched is our own doing. */
export const AT_WORK_NOTE = "anneal-at-work";

/**
 * The worktree at a path, if git's own files say that a whole one of this repository stands there with that branch.
 * Null where they do not, or say it in another way: then git has to be asked.
 */
export async function standingAt(place: Place, path: string, branch: string | null): Promise<Place | null> {
  const pointer = join(path, ".git");
  const [, gitDir] = /^gitdir: (.+)\n$/.exec(await textOf(pointer)) ?? [];
  if (gitDir === undefined || dirname(gitDir) !== join(place.commonDir, "worktrees")) return null;
  const [back, common, locked] = await Promise.all([
    textOf(join(gitDir, "gitdir")),
    textOf(join(gitDir, "commondir")),
    lstat(join(gitDir, "locked")).catch(() => null),
  ]);
  if (back !== `${pointer}\n` || resolve(gitDir, common.trim()) !== place.commonDir || locked !== null) return null;
  const found = { ...place, root: path, gitDir };
  const wanted = branch === null ? null : `refs/heads/${branch}`;
  const head = await readHead(found);
  return head.branch === wanted ? found : null;
}

/** The same from git; null where the folder's pointer leads to another repository. */
export async function openedAt(place: Place, path: string): Promise<Place | null> {
  const { clock } = place;
  const found = await findRepository(path);
  const isOurs = found.root === path && dirname(found.gitDir) === join(place.commonDir, "worktrees");
  return isOurs ? { ...found, clock } : null;
}

function textOf(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
