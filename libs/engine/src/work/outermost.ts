import type { Repo } from "@anneal/git";
import { isPartOf } from "./part-of.ts";

/** Those of these commits that no other one contains, each once. */
export async function outermost<T extends { commit: string }>(repo: Repo, all: readonly T[]): Promise<T[]> {
  const kept: T[] = [];
  for (const one of all) {
    const others = all.filter((other) => other.commit !== one.commit);
    const covered = await Promise.all(others.map((other) => isPartOf(repo, one.commit, other.commit)));
    const twin = kept.some((other) => other.commit === one.commit);
    if (!covered.includes(true) && !twin) kept.push(one);
  }
  return kept;
}
