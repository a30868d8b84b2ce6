import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hasHead } from "./head-file.ts";
import { isIndexDamaged } from "./index-damage.ts";
import { changeGit } from "./locks.ts";
import type { Place } from "./place.ts";
import { logOfHead, movesSince } from "./ref-log.ts";
import { headCommit, resolveCommit } from "./refs.ts";
import { recordedAt } from "./worktree-standing.ts";

/** A worktree of this repository that git takes for none, since its HEAD cannot be read; null where that is well. */
export async function withoutHead(place: Place, path: string): Promise<Place | null> {
  const found = await recordedAt(place, path);
  return found === null || hasHead(found.gitDir) ? null : found;
}

/** Makes a lost HEAD again: its branch, or for a detached one the commit that git logged last, which may have no other name. */
export async function makeHead(
  place: Place,
  lost: Place,
  { branch, startPoint }: { branch: string | null; startPoint: string },
): Promise<void> {
  const path = join(lost.gitDir, "HEAD");
  const text = branch === null ? await lastCommit(place, lost, startPoint) : `ref: refs/heads/${branch}`;
  await rm(path, { recursive: true, force: true });
  await writeFile(path, `${text}\n`);
}

async function lastCommit(place: Place, lost: Place, otherwise: string): Promise<string> {
  const last = movesSince(logOfHead(lost), undefined).at(-1)?.to ?? "";
  return await resolveCommit(place, last).catch(() => resolveCommit(place, otherwise));
}

/** Reads the index of a worktree anew from its head where it is gone or damaged. */
export async function mendIndex(place: Place): Promise<void> {
  if (!(await isIndexDamaged(place))) return;
  await rm(join(place.gitDir, "index"), { recursive: true, force: true });
  // Where the branch is gone, nothing is staged until the worktree is put back.
  if ((await headCommit(place)) !== null) await changeGit(place, { args: ["read-tree", "HEAD"] });
}
