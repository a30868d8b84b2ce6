import { systemClock, UsageError } from "@anneal/engine";
import { projectAt } from "@anneal/engine/project";
import { connect, type ForgePlace } from "@anneal/engine/pull-requests";

/** The forge of the project in this folder; that there is none is the person's to mend. */
export async function forgeHere(): Promise<ForgePlace & { root: string }> {
  const repo = await projectAt(process.cwd());
  const place = await connect(repo, systemClock);
  if (!("none" in place)) return { ...place, root: repo.root };
  throw new UsageError(
    `there is no forge to open pull requests on: ${place.none}; anneal pr --help shows how to try it out`,
  );
}
