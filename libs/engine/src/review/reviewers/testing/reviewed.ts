import type { Change } from "@anneal/adapters";
import { openRepo, type Repo } from "@anneal/git";
import { type Files, makeRepo } from "../../../../../git/src/testing/make-repo.ts";

/** Gives a change between two states of a repository to some work, and cleans up after it. */
export async function withChange<T>(
  before: Files,
  after: Files,
  work: (change: Change, repo: Repo, dir: string) => Promise<T>,
): Promise<T> {
  using made = makeRepo(before);
  const bounds = { base: made.git("rev-parse", "HEAD"), head: made.commit(after), headKind: "commit" } as const;
  const repo = await openRepo(made.dir);
  const change = repo.change(bounds);
  try {
    return await work(change, repo, made.dir);
  } finally {
    change.close();
  }
}
