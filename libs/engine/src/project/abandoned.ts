import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { BASELINE_FOLDER } from "@anneal/adapters/checks";
import type { Repo } from "@anneal/adapters/git";
import { endLeftovers, removeAbandoned } from "@anneal/adapters/sandbox";
import { REVIEW_FOLDER } from "../review-trees.ts";

/** Removes what a killed owner left and no log names: its temporary folders, the worktrees of baselines, and review trees in the middle of a change. Owners only. */
export async function sweepAbandoned(repo: Repo): Promise<void> {
  const home = join(repo.root, dirname(BASELINE_FOLDER));
  for (const name of await readdir(home).catch(() => [])) {
    const path = join(home, name);
    const isReview = name.startsWith(basename(REVIEW_FOLDER)) && (await isTorn(path));
    if (!isReview && !name.startsWith(basename(BASELINE_FOLDER))) continue;
    endLeftovers(path);
    // One that cannot be removed now is taken by the next baseline or review, or by `anneal gc`.
    await repo.removeWorktree(path, isReview ? { ours: true } : undefined).catch(() => {});
  }
  await removeAbandoned().catch(() => []);
}

/** Whether a git or a write of ours was cut off in git's folder of this tree. */
async function isTorn(path: string): Promise<boolean> {
  const pointer = await readFile(join(path, ".git"), "utf8").catch(() => "");
  const gitDir = /^gitdir: (.+)/.exec(pointer)?.[1];
  const files = gitDir === undefined ? [] : await readdir(gitDir).catch(() => []);
  return files.some((file) => /\.(?:lock|tmp)$/.test(file));
}
