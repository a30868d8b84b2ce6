import type { Repo } from "@anneal/git";
import type { Finding, HeldSecret, LoopState, TrackedFinding } from "@anneal/types";
import type { Search } from "./secrets.ts";

type Range = Record<"base" | "head", string>;

/** What the commits of a change bring that its final tree may not show any more. */
export interface CommitSecrets {
  secrets: HeldSecret[];
  notes: string[];
}

/** Begins to search every commit of a change; what is found is reported once the review has named what it saw itself. */
export function searchOf(repo: Repo, range: Range, signal: AbortSignal) {
  const search = searching(repo, range, signal);
  // Awaited at the end; until then the review may fail first.
  search.catch(() => {});
  return {
    /** Whatever came of it: nobody may take the repository away under it. */
    over: async (): Promise<void> => void (await search.catch(() => {})),
    async foundIn(state: Pick<LoopState, "findings" | "rounds">): Promise<CommitSecrets> {
      const { found, unread } = await search;
      const notes = unread.length === 0 ? [] : [tooLarge(unread)];
      if (found.length === 0) return { secrets: [], notes };
      const { leaksOf } = await import("./secrets.ts");
      const leaks = await leaksOf(repo, found, { ...state, head: range.head });
      return { secrets: leaks.flatMap(({ own }) => (own === null ? [] : [own])), notes };
    },
  };
}

/** They are published all the same, so somebody has to look. */
export function tooLarge(files: readonly string[]): string {
  return `these files are too large to be searched for secrets; check them before they are published: ${files.join(", ")}`;
}

async function searching(repo: Repo, range: Range, signal: AbortSignal): Promise<Search> {
  const { searchCommits } = await import("./secrets.ts");
  return await searchCommits(repo, range, signal);
}

/** Findings of a review as the ledger will hold them: enough to see which of them are about a secret. */
export function asOpen(findings: readonly Finding[], round: number): TrackedFinding[] {
  const seen = { lifecycle: "new", origin: { kind: "change" }, disposition: { kind: "open" } } as const;
  return findings.map((finding, index) => ({
    ...seen,
    finding,
    fingerprint: `new-${index}`,
    firstRound: round,
    lastRound: round,
  }));
}
