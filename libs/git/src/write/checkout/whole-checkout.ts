import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { unhiding } from "../../read/tree/hidden-files.ts";
import { mendIndex } from "../../read/tree/index-damage.ts";
import { changeGit } from "../../run/locks.ts";
import type { RepoLocation } from "../../run/repo-location.ts";

/** Makes a workspace hold all files, where the repository or an agent checks out only some: what is not there is never judged. */
export async function checkOutAll(place: RepoLocation): Promise<void> {
  if (place.own === undefined) return;
  await mendIndex(place);
  const patterns = join(place.gitDir, "info/sparse-checkout");
  if (existsSync(patterns)) {
    await changeGit(place, { args: ["sparse-checkout", "disable"] });
    // Git leaves them lying there; without them nobody has to ask again.
    await rm(patterns, { force: true });
  }
  for (const call of await unhiding(place)) await changeGit(place, call);
}
