import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { findRepository } from "./find-repository.ts";
import { readHead } from "./head-file.ts";
import { realPathOf } from "./paths.ts";
import type { Place } from "./place.ts";
import { textOf } from "./worktree-records.ts";

/**
 * The worktree at a path, if git's own files say that a whole one of this repository stands there with that branch.
 * Null where they do not, or say it in another way: then git has to be asked.
 */
export async function standingAt(place: Place, path: string, branch: string | null): Promise<Place | null> {
  const found = await recordedAt(place, path);
  if (found === null || existsSync(join(found.gitDir, "locked"))) return null;
  const wanted = branch === null ? null : `refs/heads/${branch}`;
  const head = await readHead(found);
  return head.branch === wanted ? found : null;
}

/** The same on whichever branch, and on none where its HEAD is damaged. */
export async function recordedAt(place: Place, path: string): Promise<Place | null> {
  const pointer = join(path, ".git");
  const [, gitDir] = /^gitdir: (.+)\n$/.exec(await textOf(pointer)) ?? [];
  if (gitDir === undefined || dirname(gitDir) !== join(place.commonDir, "worktrees")) return null;
  const [back, common] = await Promise.all(["gitdir", "commondir"].map((name) => textOf(join(gitDir, name))));
  if (back !== `${pointer}\n` || resolve(gitDir, (common ?? "").trim()) !== place.commonDir) return null;
  const { commonDir, clock } = place;
  return { root: path, gitDir, commonDir, clock };
}

/** The same from git where its files do not say it; null where the folder's pointer leads to another repository. */
export async function openedAt(place: Place, path: string): Promise<Place | null> {
  const recorded = await recordedAt(place, path);
  if (recorded !== null) return recorded;
  const { clock } = place;
  const found = await findRepository(path);
  const isOurs = found.root === path && dirname(found.gitDir) === join(place.commonDir, "worktrees");
  if (!isOurs) return null;
  // Its pointer could lead to the record of another worktree, and so to that one's branch.
  const back = resolve(found.gitDir, (await textOf(join(found.gitDir, "gitdir"))).trim());
  return (await realPathOf(back)) === join(path, ".git") ? { ...found, clock } : null;
}
