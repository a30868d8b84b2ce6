import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { BASELINE_NAME } from "@anneal/adapters/checks";
import { sweepTemporaries } from "@anneal/adapters/files";
import { endLeftovers } from "@anneal/system/processes/leftovers";
import { removeAbandoned } from "@anneal/system/processes/temporary";
import type { Workspaces } from "@anneal/workspace";
import { REVIEW_NAME } from "../review/review-copies.ts";

/** Removes what a killed owner left and no log names: its temporary folders, half-made workspaces and those of baselines. Owners only. */
export async function sweepAbandoned(workspaces: Workspaces): Promise<void> {
  for (const name of await workspaces.names()) {
    const gitDir = join(workspaces.pathOf(name), ".git");
    for (const folder of [gitDir, join(gitDir, "anneal")]) await sweepTemporaries(folder).catch(() => {});
    const isLeft = name.startsWith(BASELINE_NAME) || (name.startsWith(REVIEW_NAME) && (await isLocked(gitDir)));
    if (!isLeft) continue;
    endLeftovers(workspaces.pathOf(name));
    // One that cannot be removed now is taken by whoever needs it next, or by `anneal gc`.
    await workspaces.remove(name).catch(() => {});
  }
  await workspaces.removeHalfMade().catch(() => {});
  await removeAbandoned().catch(() => []);
}

/** Whether a git was cut off in a copy. */
async function isLocked(gitDir: string): Promise<boolean> {
  return (await readdir(gitDir).catch(() => [])).some((name) => name.endsWith(".lock"));
}
