import type { GitError } from "@anneal/git";
import { UsageError } from "../../errors/errors.ts";
import type { ItemKind, PrepareRequest } from "../../items/kind.ts";
import { bonds, equip, type ProjectParts, termsOf } from "../../items/prepare.ts";
import { branchWork } from "../../work/branch-work.ts";
import { defaultBranchOf } from "../../workspaces/default-branch.ts";
import { itemWorkspace, takePersonsCommits } from "../../workspaces/item-workspace.ts";

const CHOICE = { name: "adversarial", because: "the default for branches" };
const CAST = { implementer: "nobody", reviewer: "builtin", fixer: "builtin" };

/**
 * Plain branches. A loop works in a workspace of its own and publishes each commit, so that the person's own work tree,
 * untracked files and all, is never reset.
 */
export function branchKind(parts: ProjectParts): ItemKind {
  const { repo: main } = parts;
  return {
    entries: async (named) => named.map((id) => ({ id, dependsOn: [], priority: 2, readiness: "backlog" })),

    async prepare(branch, request) {
      const item = { kind: "branch", id: branch } as const;
      await takePersonsCommits(parts, { item, branch, before: request.before });
      const { base, head } = await bounds(branch, request);
      // Fixes move the branch, and with it the settings where it is checked out.
      const judged = async () => ({
        base,
        head: await main.resolve(`refs/heads/${branch}`),
        called: "branch" as const,
      });
      const terms = await termsOf(parts, request, item, { choice: CHOICE, cast: CAST, judged });
      const repo = await itemWorkspace(parts, { item, branch, start: head, request });
      const baseBranch = request.overrides.base ?? (await defaultBranchOf(parts).catch(() => undefined));
      const names = { title: branch, branch, baseBranch };
      const equipped = await equip(parts, terms, { item, repo, request, names, bounds: { base, head } });
      const work = branchWork({
        ...equipped,
        branch,
        workItem: { asks: "nothing", title: branch, description: `The commits of the branch ${branch}.` },
      });
      const bound = { ...bonds(terms), base, head, needsApproval: false, steps: [] };
      return { title: branch, branch, policy: terms.policy, bound, work, settingsNow: terms.settingsNow };
    },

    project: async () => {},
  };

  async function bounds(
    branch: string,
    { before, overrides }: PrepareRequest,
  ): Promise<{ base: string; head: string }> {
    const head = await main.resolve(`refs/heads/${branch}`).catch((error: GitError) => {
      throw new UsageError(`there is no branch ${branch}`, { cause: error });
    });
    if ("started" in before) {
      return { base: before.started.base, head: before.started.head ?? head };
    }
    const against = overrides.base ?? (await defaultBranchOf(parts));
    const base = await main.mergeBase(against, head).catch((error: GitError) => {
      throw new UsageError(error.message, { cause: error });
    });
    if (base === head) {
      // A clone of a single branch takes that for the default one.
      const ways = against === branch || against === `origin/${branch}` ? `. ${ANOTHER_BASE}` : "";
      throw new UsageError(`${branch} has no commits that ${against} does not have: nothing to review${ways}`);
    }
    if (await main.sameTree(base, head))
      throw new UsageError(`nothing to review: the commits that ${branch} adds to ${against} change nothing`);
    return { base, head };
  }
}

const ANOTHER_BASE =
  "That is the branch itself: name another branch with --base (git fetch origin NAME:refs/remotes/origin/NAME fetches one that this clone does not have)";
