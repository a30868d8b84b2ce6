import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { BASELINE_FOLDER } from "@anneal/adapters/checks";
import type { Repo } from "@anneal/adapters/git";
import { endLeftovers, removeAbandoned } from "@anneal/adapters/sandbox";

/** Removes what a killed owner left and no log names: its temporary folders, and the worktrees of baselines. Owners only. */
export async function sweepAbandoned(repo: Repo): Promise<void> {
  const home = dirname(BASELINE_FOLDER);
  const names = await readdir(join(repo.root, home)).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(basename(BASELINE_FOLDER)))) {
    const path = join(repo.root, home, name);
    endLeftovers(path);
    // One that cannot be removed now is taken by the next baseline, or by `anneal gc`.
    await repo.removeWorktree(path).catch(() => {});
  }
  await removeAbandoned().catch(() => []);
}
