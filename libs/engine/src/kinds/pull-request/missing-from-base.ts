import { GitError, type Repo } from "@anneal/git";
import { isPartOf } from "../../work/part-of.ts";

/** A head that was merged elsewhere, and the commit as which it went into the base. */
export interface Landing {
  head: string;
  as: string;
}

interface Below {
  /** The item's key. */
  key: string;
  branch: string;
  remote: string;
  /** The branch on the forge that takes the work in, and where it stands there. */
  base: string;
  tip: string;
  /** The commit that the work was reviewed against. */
  from: string;
  /** What has come to the base as another commit; asked for only where its history does not tell. */
  landed: () => Promise<readonly Landing[]>;
}

/** Where a branch stands on the remote now, or null where it is not there. */
export async function tipOn(
  repo: Repo,
  { remote, branch, signal }: { remote: string; branch: string; signal: AbortSignal },
): Promise<string | null> {
  try {
    return (await repo.fetchBranch({ remote, branch, signal })).commit;
  } catch (error) {
    if (error instanceof GitError && error.kind === "unknown-ref") return null;
    throw error;
  }
}

/** A merge brings the whole history along: what lies below the work must be in the base, or it comes there without a review. Null where it is. */
export async function missingFromBase(repo: Repo, below: Below): Promise<string | null> {
  const { key, branch, remote, base, tip, from } = below;
  if (await isPartOf(repo, from, tip)) return null;
  for (const { head, as } of await below.landed())
    if ((await isPartOf(repo, from, head)) && (await isPartOf(repo, as, tip))) return null;
  const [first = from, ...more] = await repo.commitsSince(tip, from);
  const last = short(from);
  const which = more.length === 0 ? `1 commit, ${last}` : `${more.length + 1} commits, ${short(first)} to ${last}`;
  const isBehind = await isPartOf(repo, tip, from);
  const give = isBehind ? `git push ${remote} ${last}:${base}` : `merge ${last} into it (git merge, then git push)`;
  const rebase = `git rebase --onto ${remote}/${base} ${last} ${branch}`;
  const leave = `anneal take-over ${key}, ${rebase}, then run the item again, so that it is reviewed without them`;
  const what = `${base} on ${remote} does not contain the commits that this work is built on (${which}), and no review covered them`;
  return `${what}: if they belong there, ${give}, then retry; if not, ${leave}`;
}

function short(commit: string): string {
  return commit.slice(0, 12);
}
