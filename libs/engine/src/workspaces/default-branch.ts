import { epicBranch } from "@anneal/core/epics";
import type { Repo } from "@anneal/git";
import type { ProjectStore } from "../history/store-log.ts";

/** The project's default branch. Branches that loops have made cannot be it, so that a run never hides it from the next one. */
export async function defaultBranchOf(place: { repo: Repo; store: ProjectStore | null }): Promise<string> {
  return await place.repo.defaultBranch(() => (place.store === null ? [] : ownBranches(place.store)));
}

function ownBranches(store: ProjectStore): string[] {
  // A plain branch is somebody's own.
  const made = store.branches().flatMap(({ kind, branch }) => (kind === "branch" ? [] : [branch]));
  return [...made, ...epicBranches(store)];
}

/** The branches that tickets with a loop go into. */
export function epicBranches(store: ProjectStore): string[] {
  const epics = store.items().flatMap(({ kind, item }) => (kind === "ticket" ? [epicOf(item)] : []));
  return [...new Set(epics)].map(epicBranch);
}

function epicOf(ticket: string): string {
  return ticket.slice(0, Math.max(0, ticket.indexOf("/")));
}
