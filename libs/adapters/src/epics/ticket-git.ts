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
  repo: Pick<Repo, "resolve" | "mergeBase">,
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
    onBranch: await isAncestor(repo, final, branchHead),
    descends: await isAncestor(repo, base, final),
  };
}

function resolved(repo: Pick<Repo, "resolve">, ref: string): Promise<string | null> {
  return repo.resolve(ref).catch(nullIf("unknown-ref"));
}

async function isAncestor(repo: Pick<Repo, "mergeBase">, older: string | null, newer: string | null): Promise<boolean> {
  if (older === null || newer === null) return false;
  return (await repo.mergeBase(older, newer).catch(nullIf("no-merge-base"))) === older;
}

function nullIf(kind: GitError["kind"]): (error: unknown) => null {
  return (error) => {
    if (error instanceof GitError && error.kind === kind) return null;
    throw error;
  };
}
