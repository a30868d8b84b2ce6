import { BASELINE_NAME } from "@anneal/adapters/checks";
import { endLeftovers, removeAbandoned } from "@anneal/adapters/sandbox";
import type { Workspaces } from "@anneal/adapters/workspace";

/** Removes what a killed owner left and no log names: its temporary folders, half-made workspaces and those of baselines. Owners only. */
export async function sweepAbandoned(workspaces: Workspaces): Promise<void> {
  for (const name of await workspaces.names()) {
    if (!name.startsWith(BASELINE_NAME)) continue;
    endLeftovers(workspaces.pathOf(name));
    // One that cannot be removed now is taken by the next baseline, or by `anneal gc`.
    await workspaces.remove(name).catch(() => {});
  }
  await workspaces.removeHalfMade().catch(() => {});
  await removeAbandoned().catch(() => []);
}
