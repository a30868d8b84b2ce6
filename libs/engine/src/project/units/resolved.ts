import type { Repo } from "@anneal/adapters/git";
import { UsageError } from "../../errors.ts";
import { type FoundCommits, keepFound } from "../../found-commits.ts";
import type { PrepareRequest } from "../kind.ts";
import type { ProjectParts } from "../prepare.ts";

/**
 * What a person did about a merge conflict on the unit's own branch.
 * Nothing of ours works on that branch after a conflict, so commits on top of the head that was to be merged are theirs, and are merged with it.
 */
export function resolutions(
  { store }: ProjectParts,
  { repo, found, request }: { repo: Repo; found: FoundCommits; request: PrepareRequest },
) {
  const { before } = request;
  const after = "started" in before && hadConflict(before.started.loopId) ? before : null;

  /** The commit that is merged for a head. */
  const resolved = async (head: string): Promise<string> => {
    if (after !== null) return await onTop(head);
    // Commits that are not the loop's, and a fix that came to nothing, are not part of the work.
    const asItWas = (await repo.headCommit()) === head && (await repo.status()) === "clean";
    if (!asItWas) {
      await keepFound(repo, { head, base: head }, found);
      await repo.resetTo(head);
    }
    return head;
  };

  /** The loop as it goes on: the worktree keeps what the person committed there. */
  const asResolved = async (): Promise<PrepareRequest> => {
    if (after?.state.head === undefined || after.state.head === null) return request;
    if ((await repo.status()) === "changed") {
      throw new UsageError(`${repo.root} holds changes that are not committed: commit them, or discard them`);
    }
    const head = await onTop(after.state.head);
    return { ...request, before: { ...after, state: { ...after.state, head, tree: null } } };
  };

  return { resolved, asResolved };

  async function onTop(head: string): Promise<string> {
    const tip = await repo.headCommit();
    return tip !== null && (await repo.mergeBase(head, tip)) === head ? tip : head;
  }

  function hadConflict(loopId: string): boolean {
    for (const { event } of store.events(loopId)) if (event.type === "merge-conflicted") return true;
    return false;
  }
}
