import type { HeldSecret, TrackedFinding } from "@anneal/types";

/** What a search of commits found is open, whatever a review took it for. */
export function withSecrets(
  ledger: readonly TrackedFinding[],
  secrets: readonly HeldSecret[],
  round: number,
): TrackedFinding[] {
  const found = new Map(secrets.map((secret) => [secret.fingerprint, secret]));
  const known = ledger.map((entry): TrackedFinding => {
    if (!found.delete(entry.fingerprint)) return entry;
    return { ...entry, lifecycle: "persisting", disposition: { kind: "open" }, lastRound: round };
  });
  const fresh = [...found.values()].map((secret): TrackedFinding => {
    const seen = { firstRound: round, lastRound: round };
    return { ...secret, lifecycle: "new", origin: { kind: "change" }, disposition: { kind: "open" }, ...seen };
  });
  return [...known, ...fresh];
}

/** The same after a review, which searches the commits anew: what it does not find has gone from them. */
export function searchedAgain(
  ledger: readonly TrackedFinding[],
  secrets: readonly HeldSecret[],
  { round, head }: { round: number; head: string },
): TrackedFinding[] {
  const found = new Set(secrets.map(({ fingerprint }) => fingerprint));
  const standing = ledger.map((entry): TrackedFinding => {
    if (!isHeld(entry) || found.has(entry.fingerprint)) return entry;
    return { ...entry, lifecycle: "resolved", disposition: { kind: "fixed", commit: head } };
  });
  return withSecrets(standing, secrets, round);
}

/** An open secret of a commit: no fix takes it out of there. */
export function isHeld({ heldIn, disposition }: TrackedFinding): boolean {
  return heldIn !== undefined && disposition.kind === "open";
}
