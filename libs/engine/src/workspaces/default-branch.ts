import { epicBranch } from "@anneal/core/epics";
import type { Repo } from "@anneal/git";
import type { ProjectStore } from "../history/store-log.ts";

/** The project's default branch. Branches that loops have made cannot be it, so that a run never hides it from the next one. */
export async function defaultBranchOf(place: { repo: Repo; store: ProjectStore | null }): Promise<string> {
  return await place.repo.defaultBranch(place.store === null ? [] : ownBranches(place.store));
}

function ownBranches(store: ProjectStore): string[] {
  return store.loops().flatMap(({ kind, item, summary: { branch } }) => {
    // A plain branch is somebody's own.
    if (kind === "branch") return [];
    const epics = kind === "ticket" ? [epicBranch(item.slice(0, Math.max(0, item.indexOf("/"))))] : [];
    return branch === null ? epics : [branch, ...epics];
  });
}
