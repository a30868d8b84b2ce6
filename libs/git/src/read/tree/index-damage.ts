import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { changeGit } from "../../run/locks.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { runGit } from "../../run/run.ts";
import { indexTraits } from "./index-file.ts";

/** Without an index that git can read nothing but the head says which files are tracked. */
export async function mendIndex(place: RepoLocation): Promise<void> {
  if (!(await isIndexDamaged(place))) return;
  await rm(join(place.gitDir, "index"), { force: true });
  await changeGit(place, { args: ["read-tree", "HEAD"] });
}

/** Whether an index is gone, or cannot be read. Git is only asked where it is written in a way that is not read here. */
async function isIndexDamaged(place: RepoLocation): Promise<boolean> {
  const path = join(place.gitDir, "index");
  if (!existsSync(path)) return true;
  if (indexTraits(place) !== null) return false;
  const cwd = place.root;
  // Where git finds no repository, nothing is known about its index.
  if ((await runGit({ cwd, args: ["rev-parse", "--git-dir"] })).code !== 0) return false;
  const { code, end } = await runGit({ cwd, args: ["ls-files", "-z"] });
  return end === "exited" && code !== 0;
}
