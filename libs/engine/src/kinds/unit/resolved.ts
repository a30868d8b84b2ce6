import { awaitsResolution } from "@anneal/core";
import type { Repo } from "@anneal/git";
import type { PrepareRequest } from "../../items/kind.ts";
import { onTop } from "../../workspaces/item-workspace.ts";

/**
 * The commit that is merged for a unit's head. Nothing of ours works on its branch after a conflict, so commits on top of the head that was
 * to be merged are a person's, and are merged with it.
 */
export function resolutions(repo: Repo, { before }: PrepareRequest) {
  const hadConflict = "state" in before && awaitsResolution(before.state);
  return async (head: string): Promise<string> => {
    if (hadConflict) return await onTop(repo, head);
    // Commits that are not the loop's, and a fix without a result, are not part of the work.
    const asItWas = (await repo.headCommit()) === head && (await repo.status()) === "clean";
    if (!asItWas) await repo.resetTo(head);
    return head;
  };
}
