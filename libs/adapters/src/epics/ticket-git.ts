import type { TicketGit } from "@anneal/core/epics";
import type { Repo } from "@anneal/git/repo";
import { GitError } from "@anneal/git/run/errors";

export interface TicketCommits {
  /** Its short name, such as `ticket/auth-base`. */
  branch: string;
  baseCommit: string;
  commit: string;
}

/** What git says about a ticket's work; a name that means nothing is an answer, not an error. */
export async function ticketGit(
  repo: Pick<Repo, "resolve" | "isAncestor">,
  { branch, baseCommit, commit }: TicketCommits,
): Promise<TicketGit> {
  const [branchHead, base, final] = await Promise.all([
    resolved(repo, `refs/heads/${branch}`),
    resolved(repo, baseCommit),
    resolved(repo, commit),
  ]);
  return {
    branch,
    branchHead,
    baseCommit,
    baseExists: base !== null,
    commit,
    commitExists: final !== null,
    onBranch: final !== null && branchHead !== null && (await repo.isAncestor(final, branchHead)),
    descends: base !== null && final !== null && (await repo.isAncestor(base, final)),
  };
}

function resolved(repo: Pick<Repo, "resolve">, ref: string): Promise<string | null> {
  return repo.resolve(ref).catch((error: unknown) => {
    if (error instanceof GitError && error.kind === "unknown-ref") return null;
    throw error;
  });
}
