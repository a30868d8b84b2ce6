import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { unhiding } from "../../read/tree/hidden-files.ts";
import { mendIndex } from "../../read/tree/index-damage.ts";
import { changeGit } from "../../run/locks.ts";
import type { RepoLocation } from "../../run/repo-location.ts";

/** Makes a workspace hold all files, where the repository or an agent checks out only some: what is not there is never judged. */
export async function checkOutAll(location: RepoLocation): Promise<void> {
  if (location.own === undefined) return;
  await mendIndex(location);
  const patterns = join(location.gitDir, "info/sparse-checkout");
  if (existsSync(patterns)) {
    await changeGit(location, { args: ["sparse-checkout", "disable"] });
    // Git leaves them lying there; without them nobody has to ask again.
    await rm(patterns, { force: true });
  }
  for (const call of await unhiding(location)) await changeGit(location, call);
}
