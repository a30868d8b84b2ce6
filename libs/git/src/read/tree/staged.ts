import { join } from "node:path";
import type { RepoLocation } from "../../run/repo-location.ts";
import { stampOf } from "../../run/stamp.ts";

/** Another one whenever the index was written. */
export async function indexStamp({ gitDir }: RepoLocation): Promise<string> {
  return (await stampOf(join(gitDir, "index"))) ?? "none";
}

const known = new Map<string, { tree: string; stamp: string }>();

/** Remembers that the index with this stamp holds this tree. */
export function noteStaged({ gitDir }: RepoLocation, tree: string, stamp: string): void {
  known.set(gitDir, { tree, stamp });
}

/** Whether this process saw the index hold this tree, and nobody has written it since. Asked once. */
export async function isStaged(location: RepoLocation, tree: string): Promise<boolean> {
  const noted = known.get(location.gitDir);
  known.delete(location.gitDir);
  return noted?.tree === tree && noted.stamp === (await indexStamp(location));
}
