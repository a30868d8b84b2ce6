import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { changeGit } from "../../run/locks.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { runGit } from "../../run/run.ts";
import { indexTraits } from "./index-file.ts";

/** Without an index that git can read nothing but the head says which files are tracked. */
export async function mendIndex(location: RepoLocation): Promise<void> {
  if (!(await isIndexDamaged(location))) return;
  await rm(join(location.gitDir, "index"), { force: true });
  await changeGit(location, { args: ["read-tree", "HEAD"] });
}

/** Whether an index is gone, or cannot be read. Git is only asked where it is written in a way that is not read here. */
async function isIndexDamaged(location: RepoLocation): Promise<boolean> {
  const path = join(location.gitDir, "index");
  if (!existsSync(path)) return true;
  if (indexTraits(location) !== null) return false;
  const cwd = location.root;
  // Where git finds no repository, nothing is known about its index.
  if ((await runGit({ cwd, args: ["rev-parse", "--git-dir"] })).code !== 0) return false;
  const { code, end } = await runGit({ cwd, args: ["ls-files", "-z"] });
  return end === "exited" && code !== 0;
}
