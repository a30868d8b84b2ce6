import type { Repo } from "@anneal/adapters/git";
import { endLeftovers } from "@anneal/adapters/sandbox";

/** Where reviewers read: a place at a commit, lent for one review. */
export interface ReviewPlace {
  lend<T>(head: string, work: (repo: Repo) => Promise<T>): Promise<T>;
}

export const REVIEW_FOLDER = ".worktrees/.review-";

/** A small pool of worktrees, as many as reviews run at once. Each is reset before it is lent, ignored files and all. */
export function reviewTrees(main: Repo): ReviewPlace {
  const lent = new Set<number>();
  return {
    async lend(head, work) {
      const number = firstFree(lent);
      lent.add(number);
      try {
        return await work(await freshTree(main, `${REVIEW_FOLDER}${number}`, head));
      } finally {
        lent.delete(number);
      }
    },
  };
}

/** A place that is there already, for a review of what somebody has before them. */
export function thisPlace(repo: Repo): ReviewPlace {
  return { lend: (_head, work) => work(repo) };
}

async function freshTree(main: Repo, path: string, head: string): Promise<Repo> {
  try {
    return await reset(main, path, head);
  } catch {
    // A reviewer may have damaged its tree beyond resetting.
    await main.removeWorktree(path);
    return await reset(main, path, head);
  }
}

async function reset(main: Repo, path: string, head: string): Promise<Repo> {
  const repo = await main.addWorktree({ path, branch: null, startPoint: head });
  endLeftovers(repo.root);
  await repo.resetTo(head, { ignored: "go", kind: "commit" });
  return repo;
}

function firstFree(taken: ReadonlySet<number>): number {
  let number = 1;
  while (taken.has(number)) number += 1;
  return number;
}
