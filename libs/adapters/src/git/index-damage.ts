import { existsSync } from "node:fs";
import { join } from "node:path";
import { indexTraits } from "./index-file.ts";
import type { Place } from "./place.ts";
import { runGit } from "./run.ts";

/** Whether an index is gone, or cannot be read. Git is only asked where it is written in a way that is not read here. */
export async function isIndexDamaged(place: Place): Promise<boolean> {
  const path = join(place.gitDir, "index");
  if (!existsSync(path)) return true;
  if (indexTraits(place) !== null) return false;
  const cwd = place.root;
  // Where git finds no repository, nothing is known about its index.
  if ((await runGit({ cwd, args: ["rev-parse", "--git-dir"] })).code !== 0) return false;
  const { code, end } = await runGit({ cwd, args: ["ls-files", "-z"] });
  return end === "exited" && code !== 0;
}
