import type { GitError, Repo } from "@anneal/adapters/git";
import type { LoopState } from "@anneal/types";
import { branchWork } from "../branch-work.ts";
import { UsageError } from "../errors.ts";
import { defaultBranchOf } from "./default-branch.ts";
import { isTakenOver } from "./free-branch.ts";
import { bringToBranch, handedBack } from "./handed-back.ts";
import { folderOf } from "./item-key.ts";
import type { ItemKind, PrepareRequest } from "./kind.ts";
import { historyOf, loopsOf } from "./loop-history.ts";
import { bonds, equip, type ProjectParts, startAfresh, termsOf } from "./prepare.ts";

const CHOICE = { name: "adversarial", because: "the default for branches" };
const CAST = { implementer: "nobody", reviewer: "builtin", fixer: "builtin" };

/**
 * Plain branches. A loop works in a worktree of its own on a detached head and moves the branch after each commit,
 * so that the person's own work tree, untracked files and all, is never reset.
 */
export function branchKind(parts: ProjectParts): ItemKind {
  const { repo: main, store } = parts;
  return {
    entries: async (named) => named.map((id) => ({ id, dependsOn: [], priority: 2, standing: "backlog" })),

    async prepare(branch, request) {
      const item = { kind: "branch", id: branch } as const;
      const begins = "earlierLoops" in request.before;
      const last = begins ? loopsOf(store, item).at(-1) : undefined;
      const takenOver = last !== undefined && isTakenOver(historyOf(store, last));
      const found = takenOver ? await handedBack(parts, item, branch) : null;
      if (found !== null) await bringToBranch(parts, found);
      const { base, head } = await bounds(branch, request);
      // Fixes move the branch, and with it the settings where it is checked out.
      const judged = async () => ({
        base,
        head: await main.resolve(`refs/heads/${branch}`),
        called: "branch" as const,
      });
      const terms = await termsOf(parts, request, item, { choice: CHOICE, cast: CAST, judged });
      const path = `.worktrees/${folderOf(item)}`;
      const lent = begins ? { lentTo: branch } : {};
      const repo = await main.addWorktree({ path, branch: null, startPoint: head, ...lent });
      if (begins) await startAfresh(parts, item, repo, head);
      const baseBranch = request.wish.base ?? (await defaultBranchOf(parts).catch(() => undefined));
      const equipped = await equip(parts, terms, { item, repo, request, names: { title: branch, branch, baseBranch } });
      const work = branchWork({
        ...equipped,
        branch,
        workItem: { asks: "nothing", title: branch, description: `The commits of the branch ${branch}.` },
        afterCommit: async ({ parent }, commit) => {
          if (parent !== null) await main.moveBranch({ branch, from: parent, to: commit });
        },
      });
      const bound = { ...bonds(terms), base, head, needsApproval: false, steps: [] };
      return { title: branch, branch, policy: terms.policy, bound, work, settingsNow: terms.settingsNow };
    },

    project: async () => {},
  };

  async function bounds(branch: string, { before, wish }: PrepareRequest): Promise<{ base: string; head: string }> {
    const head = await main.resolve(`refs/heads/${branch}`).catch((error: GitError) => {
      throw new UsageError(`there is no branch ${branch}`, { cause: error });
    });
    if ("started" in before) {
      await refuseMoved(main, branch, head, before.state);
      return { base: before.started.base, head: before.started.head ?? head };
    }
    const against = wish.base ?? (await defaultBranchOf(parts));
    const base = await main.mergeBase(against, head).catch((error: GitError) => {
      throw new UsageError(error.message, { cause: error });
    });
    if (base === head) {
      // A clone of a single branch takes that for the default one.
      const ways = against === branch || against === `origin/${branch}` ? `. ${ANOTHER_BASE}` : "";
      throw new UsageError(`${branch} has no commits that ${against} does not have: nothing to review${ways}`);
    }
    if (await main.sameTree(base, head))
      throw new UsageError(`nothing to review: the commits that ${branch} has beyond ${against} come to no change`);
    return { base, head };
  }
}

const ANOTHER_BASE =
  "That is the branch itself: --base names another one to compare with (git fetch origin NAME:refs/remotes/origin/NAME gets one that this clone does not have)";

/** Somebody has committed since: what the loop knows is about another head. */
async function refuseMoved(main: Repo, branch: string, head: string, state: LoopState): Promise<void> {
  if (state.head === head) return;
  const plan = state.stage === "committing" ? state.plan : null;
  const made =
    plan !== null && (await main.treeOf(head)) === plan.tree && (await main.resolve(`${head}^`)) === plan.parent;
  if (made) return;
  throw new UsageError(
    `${branch} has moved since its loop saw it last: anneal stop branch:${branch} ends that loop, and anneal loop reviews anew`,
  );
}
