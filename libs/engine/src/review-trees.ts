import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { whileLocked } from "@anneal/adapters/files";
import type { Repo } from "@anneal/adapters/git";
import type { Lender } from "@anneal/adapters/reviewers/reading-room";
import { endLeftovers, isAbandoned, ownTemporary, removeAbandoned } from "@anneal/adapters/sandbox";
import type { ChangeBounds } from "@anneal/types";

/** Where reviewers read: a place at a commit, lent for one review. */
export interface ReviewPlace extends Lender {
  /** For those who only need the patch, where it takes no tree to have it. */
  patch?(bounds: ChangeBounds): Promise<string>;
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
    patch: (bounds) => main.patch(bounds),
    beside: main,
  };
}

/**
 * For reviews outside of loops: a tree made for each of them and thrown away after it, away from the work tree of whoever
 * asked. It holds exactly what is judged, even where that is not committed yet.
 */
export function passingTrees(repo: Repo): ReviewPlace {
  let cleared: Promise<void> | undefined;
  // Reviews in other processes make and remove their trees in the same repository, which git does not take at once.
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    const folder = join(repo.commonDir, "anneal");
    await mkdir(folder, { recursive: true });
    return await whileLocked(join(folder, "review-trees.lock"), work);
  };
  return {
    async lend(head, work) {
      cleared ??= alone(() => clearAbandoned(repo));
      await cleared;
      const startPoint = (await repo.treeOf(head)) === head ? await repo.treeAsCommit(head) : head;
      const path = await ownTemporary("review");
      let gitDir: string | undefined;
      try {
        const tree = await alone(() => repo.addWorktree({ path, branch: null, startPoint }));
        gitDir = tree.gitDir;
        return await work(tree);
      } finally {
        endLeftovers(path);
        const known = { ours: true, ...(gitDir === undefined ? {} : { gitDir }) } as const;
        // What cannot be removed goes with what killed reviews left; it must not take the answer along.
        await alone(() => repo.removeWorktree(path, known)).catch(() => {});
      }
    },
    patch: (bounds) => repo.patch(bounds),
    beside: repo,
  };
}

/** What reviews that were killed left behind: their programs, their trees with git's records of them, and their folders. */
export async function clearAbandoned(repo: Repo): Promise<void> {
  for (const { path } of await repo.listWorktrees()) {
    if (!isAbandoned(path)) continue;
    endLeftovers(path);
    await repo.removeWorktree(path, { ours: true }).catch(() => {});
  }
  await removeAbandoned().catch(() => []);
}

async function freshTree(main: Repo, path: string, head: string): Promise<Repo> {
  try {
    return await reset(main, path, head);
  } catch {
    // A reviewer may have damaged its tree beyond resetting.
    await main.removeWorktree(path, { ours: true });
    return await reset(main, path, head);
  }
}

async function reset(main: Repo, path: string, head: string): Promise<Repo> {
  const repo = await main.addWorktree({ path, branch: null, startPoint: head });
  endLeftovers(repo.root);
  if (!repo.isNew) await repo.resetTo(head, { ignored: "go", kind: "commit" });
  return repo;
}

function firstFree(taken: ReadonlySet<number>): number {
  let number = 1;
  while (taken.has(number)) number += 1;
  return number;
}
