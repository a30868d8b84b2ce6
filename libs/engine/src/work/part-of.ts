import { GitError, type Repo } from "@anneal/git";

/** Whether a commit is in the history of another, or is that one. False also for commits that are not here. */
export async function isPartOf(repo: Repo, commit: string, history: string): Promise<boolean> {
  return (await meeting(repo, commit, history)) === commit;
}

/** Whether a history holds a commit, or all that it changes: a squash or a cherry-pick of it is there. */
export async function isHeldBy(repo: Repo, commit: string, history: string): Promise<boolean> {
  const met = await meeting(repo, commit, history);
  if (met === null || met === commit) return met === commit;
  return (await repo.mergeTrees(history, commit)) === (await repo.treeOf(history));
}

/** What holds a commit is a squash or a part of a rebase, with few commits on the same files before it. */
const LOOKS = 100;

/** Whether a history holds a commit, or a commit of it held all that it changes, whatever became of that later. */
async function wasHeldBy(repo: Repo, commit: string, history: string): Promise<boolean> {
  if (await isHeldBy(repo, commit, history)) return true;
  const met = await meeting(repo, commit, history);
  if (met === null) return false;
  for (const one of (await repo.commitsSince(met, history, commit)).slice(0, LOOKS)) {
    if (await isHeldBy(repo, commit, one)) return true;
  }
  return false;
}

export interface OwnWork {
  /** Where the work begins that ends at the commit; all that the history does not have where that is not known. */
  since?: string | undefined;
  /** Files that do not count. */
  isIgnored?: (path: string) => boolean;
}

/**
 * Whether a history certainly has nothing of a commit: it does not hold it, and every file that the commit changes is there as it
 * was before. A squash may have been changed before it was made, by its author or by what was built on top.
 */
export async function isMissing(
  repo: Repo,
  commit: string,
  history: string,
  { since, isIgnored = () => false }: OwnWork = {},
): Promise<boolean> {
  if (await wasHeldBy(repo, commit, history)) return false;
  const met = await meeting(repo, commit, history);
  if (met === null) return true;
  const paths: string[] = [];
  for await (const { path, oldPath } of repo.changedFiles({ base: since ?? met, head: commit, headKind: "commit" })) {
    for (const one of [path, oldPath]) if (one !== undefined && !isIgnored(one)) paths.push(one);
  }
  return paths.length > 0 && !(await repo.touches({ base: met, head: history }, paths));
}

async function meeting(repo: Repo, commit: string, history: string): Promise<string | null> {
  try {
    return await repo.mergeBase(commit, history);
  } catch (error) {
    if (error instanceof GitError && (error.kind === "unknown-ref" || error.kind === "no-merge-base")) return null;
    throw error;
  }
}
