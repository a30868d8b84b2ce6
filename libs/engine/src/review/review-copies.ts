import { rm } from "node:fs/promises";
import type { CopyLender } from "@anneal/adapters/reviewers/tamper-guard";
import type { Repo } from "@anneal/git";
import { endLeftovers } from "@anneal/system/processes/leftovers";
import { ownTemporary, removeAbandoned } from "@anneal/system/processes/temporary";
import type { ChangeBounds } from "@anneal/types";
import { passingCopy, type Workspaces } from "@anneal/workspace";

/** Where reviewers read: a copy at a commit, for one review. */
export interface ReviewCopies extends CopyLender {
  /** For those who only need the patch, where it takes no copy to have it. */
  patch?(bounds: ChangeBounds): Promise<string>;
}

/** Workspaces of reviewers begin with this. */
export const REVIEW_NAME = "review-";

/** A small pool of copies, as many as reviews run at once. Each is reset before use, ignored files included. */
export function pooledCopies(main: Repo, workspaces: Workspaces): ReviewCopies {
  const lent = new Set<number>();
  return {
    async lend(head, work) {
      const number = firstFree(lent);
      lent.add(number);
      try {
        const name = `${REVIEW_NAME}${number}`;
        endLeftovers(workspaces.pathOf(name));
        return await work(await workspaces.copyAt(name, head));
      } finally {
        lent.delete(number);
      }
    },
    patch: (bounds) => main.patch(bounds),
    source: main,
  };
}

/**
 * For reviews outside of loops: a copy made for each of them and thrown away after it, away from the work tree of whoever
 * asked. It holds exactly what is judged, even where that is not committed yet.
 */
export function temporaryCopies(repo: Repo): ReviewCopies {
  let cleared: Promise<unknown> | undefined;
  return {
    async lend(head, work) {
      cleared ??= removeAbandoned().catch(() => []);
      await cleared;
      const commit = (await repo.treeOf(head)) === head ? await repo.treeAsCommit(head) : head;
      const path = await ownTemporary("review");
      try {
        return await work(await passingCopy(repo, path, commit));
      } finally {
        endLeftovers(path);
        // What cannot be removed goes with what killed reviews left; it must not take the answer along.
        await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
      }
    },
    patch: (bounds) => repo.patch(bounds),
    source: repo,
  };
}

function firstFree(taken: ReadonlySet<number>): number {
  let number = 1;
  while (taken.has(number)) number += 1;
  return number;
}
