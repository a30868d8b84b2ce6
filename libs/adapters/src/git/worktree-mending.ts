import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isHeadDamaged } from "./head-damage.ts";
import { isIndexDamaged } from "./index-damage.ts";
import { lastCommit, strayCommit } from "./last-logged.ts";
import { changeGit } from "./locks.ts";
import type { Place } from "./place.ts";
import { headCommit, resolveCommit } from "./refs.ts";
import { recordedAt } from "./worktree-standing.ts";

/** A worktree of this repository whose HEAD git cannot read, or finds no commit for; null where that is well. */
export async function withoutHead(place: Place, path: string): Promise<Place | null> {
  const found = await recordedAt(place, path);
  return found === null || !(await isHeadDamaged(found)) ? null : found;
}

/**
 * Makes a lost HEAD again as it was, as far as git logged it: on its branch, or on a commit that has no other name. Gives the
 * branch; null for a detached head.
 */
export async function makeHead(
  place: Place,
  lost: Place,
  { branch, startPoint }: { branch: string | null; startPoint: string },
): Promise<string | null> {
  const path = join(lost.gitDir, "HEAD");
  // Git may take the worktree itself for none.
  const logged = { ...lost, root: place.root };
  const commit =
    branch === null
      ? ((await lastCommit(logged)) ?? (await resolveCommit(place, startPoint)))
      : await strayCommit(logged, `refs/heads/${branch}`);
  await rm(path, { recursive: true, force: true });
  await writeFile(path, `${commit ?? `ref: refs/heads/${branch}`}\n`);
  return commit === null ? branch : null;
}

/** Reads the index of a worktree anew from its head where it is gone or damaged. */
export async function mendIndex(place: Place): Promise<void> {
  if (!(await isIndexDamaged(place))) return;
  await rm(join(place.gitDir, "index"), { recursive: true, force: true });
  // Where the branch is gone, nothing is staged until the worktree is put back.
  if ((await headCommit(place)) !== null) await changeGit(place, { args: ["read-tree", "HEAD"] });
}
