import { GitError, type Repo } from "@anneal/git";

/** The commit that a name stands for, or null where it means nothing. */
export async function commitOf(repo: Pick<Repo, "resolve">, ref: string): Promise<string | null> {
  try {
    return await repo.resolve(ref);
  } catch (error) {
    if (error instanceof GitError && error.kind === "unknown-ref") return null;
    throw error;
  }
}
