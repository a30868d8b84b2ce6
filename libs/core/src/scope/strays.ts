import type { FixScope, Stray, TrackedFinding } from "@anneal/types";

/** The ledger after a fix: what it touched beyond its scope is open, and what it took back is fixed. */
export function withStrays(
  ledger: readonly TrackedFinding[],
  { strays = [], takenBack = [] }: FixScope,
  { round, head }: { round: number; head: string },
): TrackedFinding[] {
  const found = new Map(strays.map((stray) => [stray.fingerprint, stray]));
  const known = ledger.map((entry): TrackedFinding => {
    const again = found.get(entry.fingerprint);
    if (again !== undefined) {
      found.delete(entry.fingerprint);
      // A person's word is about exactly this content.
      if (BY_PERSON.includes(entry.disposition.kind)) return entry;
      return { ...entry, ...again, lifecycle: "regressed", disposition: { kind: "open" }, lastRound: round };
    }
    if (!takenBack.includes(entry.fingerprint) || entry.disposition.kind !== "open") return entry;
    return { ...entry, lifecycle: "resolved", disposition: { kind: "fixed", commit: head } };
  });
  const seen = { firstRound: round, lastRound: round, lifecycle: "new", disposition: { kind: "open" } } as const;
  const fresh = [...found.values()].map((stray): TrackedFinding => {
    return { ...stray, origin: { kind: "fix", round }, ...seen };
  });
  return [...known, ...fresh];
}

const BY_PERSON: readonly TrackedFinding["disposition"]["kind"][] = ["dismissed", "accepted-risk", "deferred"];

/** The open findings whose files a later fix may have taken back. */
export function openStrays(ledger: readonly TrackedFinding[]): Pick<Stray, "fingerprint" | "strayed">[] {
  return ledger.flatMap(({ fingerprint, strayed, disposition }) =>
    strayed === undefined || disposition.kind !== "open" ? [] : [{ fingerprint, strayed }],
  );
}
