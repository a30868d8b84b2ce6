import type { PullRequest } from "@anneal/adapters/forges";
import { awaitsResolution } from "@anneal/core";
import type { Repo } from "@anneal/git";
import type { LoopEvent, LoopState, MergeConflict } from "@anneal/types";
import { isPartOf } from "../../work/part-of.ts";
import type { ForgeConnection } from "./forge.ts";

type Resolved = Extract<LoopEvent, { type: "conflict-resolved" }>;

interface Conflicting {
  /** The item's key. */
  key: string;
  place: Pick<ForgeConnection, "remote">;
  pull: Pick<PullRequest, "number" | "base" | "head" | "mergeability">;
  signal?: AbortSignal;
}

/** What keeps a head from being merged, where its forge says that something does: git then names the files. */
export async function conflictOf(repo: Repo, on: Conflicting, head: string): Promise<MergeConflict | null> {
  const { place, pull, signal } = on;
  if (pull.mergeability !== "conflict") return null;
  const { commit } = await repo.fetchBranch({
    remote: place.remote,
    branch: pull.base,
    ...(signal === undefined ? {} : { signal }),
  });
  const merged = await repo.mergeTrees(commit, head);
  return typeof merged === "string" ? null : { files: merged.conflicts, advice: adviceOn(on) };
}

/** The commands that resolve it, where to run them, and the signal that resumes the loop. */
export function adviceOn({ key, place: { remote }, pull: { number, base, head } }: Conflicting): string {
  const commands = `run git fetch ${remote}, git switch ${head.branch} and git merge ${remote}/${base} in your checkout, resolve the conflict and commit`;
  const then = `anneal retry ${key} and anneal run ${key} review the result and push it to pull request ${number}`;
  return `because ${base} on ${remote} has moved: ${commands}; then ${then}`;
}

/**
 * What a person committed on the item's branch after a conflict; null where that is nothing, or does not hold the reviewed head.
 * It is judged against where it now leaves the base: what is there already is not the change's.
 */
export async function resolutionOf(
  repo: Repo,
  { remote, base, branch, signal }: { remote: string; base: string; branch: string; signal: AbortSignal },
  state: LoopState,
): Promise<Pick<Resolved, "base" | "head"> | null> {
  if (state.head === null || !awaitsResolution(state)) return null;
  const head = await repo.resolve(`refs/heads/${branch}`).catch(() => state.head ?? state.base);
  if (head === state.head || !(await isPartOf(repo, state.head, head))) return null;
  const { commit } = await repo.fetchBranch({ remote, branch: base, signal });
  const met = await repo.mergeBase(head, commit);
  return { head, base: (await isPartOf(repo, state.base, met)) ? met : state.base };
}
