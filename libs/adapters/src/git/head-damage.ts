import { statSync } from "node:fs";
import { join } from "node:path";
import { hasHead, isDetached, readHead } from "./head-file.ts";
import type { Place } from "./place.ts";
import { runGit } from "./run.ts";

/**
 * Whether git finds no HEAD in a work tree, or one that names a commit which is not there. A branch is another matter: it may
 * have none yet. Git is only asked about a commit that no file of its own stands for.
 */
export async function isHeadDamaged(place: Place): Promise<boolean> {
  if (!hasHead(place.gitDir)) return true;
  if (!isDetached(place.gitDir) || hasFile(place, (await readHead(place)).commit)) return false;
  const args = ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"];
  const { code, end } = await runGit({ cwd: place.root, args });
  return end === "exited" && code === 1;
}

/** An empty file is what a power cut leaves of an object. */
function hasFile({ commonDir }: Place, id: string | null): boolean {
  if (id === null) return false;
  const path = join(commonDir, "objects", id.slice(0, 2), id.slice(2));
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
