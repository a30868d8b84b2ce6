import { type Certificate, type CertificateSource, certificate } from "@anneal/core/write";
import type { Repo } from "@anneal/git";
import type { LoopHistory } from "../history/loop-history.ts";
import { leaksIn } from "../review/secrets/secrets.ts";

/** The certificate of a loop, with what its commits hold now; null for a log that does not begin with a start. */
export async function certified(
  repo: Repo,
  history: Pick<LoopHistory, "row" | "events" | "state">,
  signal: AbortSignal = new AbortController().signal,
): Promise<Certificate | null> {
  const { row, state } = history;
  const { title, branch } = row.summary;
  const branchHead = branch === null ? null : await repo.resolve(`refs/heads/${branch}`).catch(() => null);
  const secrets = await secretsOf(repo, state, signal);
  const events = history.events.map(({ event }) => event);
  return certificate({ events, state, title, branch, branchHead, secrets });
}

/** Commits that are gone cannot be searched, which is not the same as clean. */
async function secretsOf(
  repo: Repo,
  state: LoopHistory["state"],
  signal: AbortSignal,
): Promise<CertificateSource["secrets"]> {
  const head = state.pr?.mergedHead ?? state.head;
  if (head === null) return [];
  try {
    const { leaks } = await leaksIn(repo, { base: state.base, head, state }, signal);
    return leaks.map(({ fingerprint, said }) => ({ fingerprint, said }));
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
