import { join } from "node:path";
import { headCommit } from "../../read/refs/refs.ts";
import { indexTraits } from "../../read/tree/index-file.ts";
import { treeOf, treeOfFiles, withIndexCopy } from "../../read/tree/trees.ts";
import { unfinished } from "../../read/tree/unfinished.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { isOnOwn } from "../branch/own-branch.ts";
import { clean, resetTo } from "./reset.ts";

/** What a work tree has to hold, as a log has it. */
export interface Recorded {
  head: string;
  /** All files; null where they are those of the head. */
  tree: string | null;
}

/** Puts head, index and files back to what is recorded, whatever is there. */
export async function restore(location: RepoLocation, { head, tree }: Recorded): Promise<void> {
  await resetTo(location, head, { kind: "commit" });
  if (tree !== null) await resetTo(location, tree, { kind: "tree" });
}

/** Makes sure that head and files are what is recorded. Looks first, since mostly they are; the index is left alone then. */
export async function ensure(location: RepoLocation, recorded: Recorded): Promise<void> {
  const isThere = await withIndexCopy(location, join(location.gitDir, "index"), async (env) => {
    if (!(await isPlain(location, recorded))) return false;
    if ((await treeOfFiles(location, env)) !== (await treeIn(location, recorded))) return false;
    // A repository that lies in the work tree has become a submodule by being staged.
    if (indexTraits(location, env.GIT_INDEX_FILE)?.submodules !== false) return false;
    // A folder without files is in no tree.
    await clean(location.root, { env });
    return true;
  });
  if (!isThere) await restore(location, recorded);
}

/** The tree that is recorded, that of the head included. */
export async function treeIn(location: RepoLocation, { head, tree }: Recorded): Promise<string> {
  return tree ?? (await treeOf(location, head));
}

/** Whether the workspace is on its own branch, and that at this commit. */
export async function isAt(location: RepoLocation, commit: string): Promise<boolean> {
  return (await headCommit(location)) === commit && (await isOnOwn(location));
}

/** Whether the head is as recorded and the files say all: none is hidden from git, half merged, or of another repository. */
export async function isPlain(location: RepoLocation, { head }: Recorded): Promise<boolean> {
  const [stands, begun] = await Promise.all([isAt(location, head), unfinished(location)]);
  if (!stands || begun.length > 0) return false;
  const traits = indexTraits(location);
  return traits !== null && !traits.conflicts && !traits.hidden && !traits.submodules;
}
