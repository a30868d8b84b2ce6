import { Newest } from "../../run/newest.ts";
import type { RepoLocation } from "../../run/repo-location.ts";

type Repository = Pick<RepoLocation, "commonDir">;

/** What was once found out about commits by their whole ids. None of it can ever change, so no git is started to ask again. */
const commits = new Newest<true>(2_000);
const ways = new Newest<true>(2_000);
const trees = new Newest<string>(1_000);

export function isId(name: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(name);
}

/** Remembers an object as a commit; anything but a whole id is no name for it. */
export function noteCommit({ commonDir }: Repository, id: string): void {
  if (isId(id)) commits.set(`${commonDir}\0${id}`, true);
}

export function isKnownCommit({ commonDir }: Repository, id: string): boolean {
  return commits.get(`${commonDir}\0${id}`) === true;
}

/**
 * Remembers that a commit is in the history of another. Only for this repository: another may have neither. That it is not could
 * change: a shallow clone may get more of it.
 */
export function noteAncestor({ commonDir }: Repository, older: string, newer: string): void {
  if (isId(older) && isId(newer)) ways.set(`${commonDir}\0${older}\0${newer}`, true);
}

/** Whether a commit is known to be in the history of another, or to be that one. */
export function isKnownAncestor(location: Repository, older: string, newer: string): boolean {
  if (older === newer) return isKnownCommit(location, older);
  return ways.get(`${location.commonDir}\0${older}\0${newer}`) === true;
}

/** Remembers the tree of a commit, given by its whole id: it can never be another, in no repository. */
export function noteTree(commit: string, tree: string): void {
  trees.set(commit, tree);
}

export function knownTree(commit: string): string | undefined {
  return trees.get(commit);
}
