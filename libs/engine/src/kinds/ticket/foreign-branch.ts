import { allBefore } from "@anneal/core";
import { type EpicProgress, type TicketItem, ticketBranch, ticketProgress } from "@anneal/core/epics";
import { GitError, type Repo } from "@anneal/git";
import { UsageError } from "../../errors/errors.ts";
import type { ProjectParts } from "../../items/prepare.ts";
import { isPartOf } from "../../work/part-of.ts";
import { type BranchStart, branchStart } from "../../workspaces/free-branch.ts";
import { commitOf } from "./commit-of.ts";
import { baseFor } from "./start.ts";

type Place = Pick<ProjectParts, "repo" | "tell"> & { store: ProjectParts["store"] | null };

/** Where a new loop of a ticket begins on its branch; what somebody else committed there is refused. */
export async function ticketBranchStart(
  place: Place,
  epicId: string,
  { id, base }: { id: string; base: string },
): Promise<BranchStart> {
  const branch = ticketBranch(id);
  const item = { kind: "ticket", id: `${epicId}/${id}` } as const;
  return await branchStart(place, { item, branch, base, instead: `rename it with git branch -m ${branch} NAME` });
}

/** Why tickets that have not begun would be refused, some of them only once others were built. Nothing is changed. */
export async function foreignBranches(
  { repo, store }: Pick<Place, "repo" | "store">,
  progress: EpicProgress,
): Promise<string[]> {
  const { epic } = progress;
  const standings = ticketProgress(progress);
  const refused: string[] = [];
  for (const ticket of epic.tickets) {
    const status = standings.get(ticket.id)?.status;
    const tip = await commitOf(repo, `refs/heads/${ticketBranch(ticket.id)}`);
    if (tip === null || (status !== "queued" && status !== "pending")) continue;
    try {
      const base =
        status === "queued" ? await ready(repo, progress, ticket) : await likelyBase(repo, progress, ticket, tip);
      if (base !== null) await ticketBranchStart({ repo, store }, epic.id, { id: ticket.id, base });
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof GitError)) throw error;
      refused.push(error.message);
    }
  }
  return refused;
}

/** Null where its dependencies conflict, which is reported elsewhere. */
async function ready(repo: Repo, progress: EpicProgress, ticket: TicketItem): Promise<string | null> {
  return await baseFor(repo, progress, ticket).catch((error: unknown) => {
    if (error instanceof UsageError) return null;
    throw error;
  });
}

/** Of a ticket that waits for others: what is on their branches by now may come to be in its base, nothing else of today can. */
async function likelyBase(
  repo: Repo,
  { epic, baselineCommit }: EpicProgress,
  { id }: TicketItem,
  tip: string,
): Promise<string> {
  for (const other of allBefore(epic.tickets, id)) {
    const at = await commitOf(repo, `refs/heads/${ticketBranch(other)}`);
    if (at !== null && (await isPartOf(repo, tip, at))) return at;
  }
  return baselineCommit;
}
