import type { CompleteReport, Finding, RoundMatches, Sighting, TrackedFinding } from "@anneal/types";
import { type CarriedFinding, carriedOn, type Since, standsOnChanged } from "./carried-finding.ts";
import { OVER_ROUNDS } from "./certainty.ts";
import { type DoubtfulPair, doubtful } from "./doubtful.ts";
import { MATCHER, match } from "./match.ts";

/** A round as the ledger sees it. */
export interface RoundSeen extends Since {
  round: number;
  report: Pick<CompleteReport, "findings">;
  /** What was decided when the review came in; decided here where nobody did. */
  matches?: RoundMatches | undefined;
}

/** An entry where it stands now, whether or not somebody names it again. */
export interface Carried extends Pick<CarriedFinding, "codeChanged"> {
  entry: TrackedFinding;
}

/** What a push is held for is a location in a commit, which never moves. */
export function carriedLedger(ledger: readonly TrackedFinding[], since: Since): Carried[] {
  return ledger.map((entry) => {
    if (entry.heldIn !== undefined) return { entry, codeChanged: null };
    const { finding, codeChanged } = carriedOn(entry.finding, since);
    return { entry: { ...entry, finding }, codeChanged };
  });
}

/** The same entries, as they stand now. */
export function movedTo(ledger: readonly TrackedFinding[], since: Since): TrackedFinding[] {
  return carriedLedger(ledger, since).map(({ entry }) => entry);
}

/** Which findings of a review are those of the ledger, to be kept with the review: replaying it must not decide anew. */
export function matchRound(
  ledger: readonly TrackedFinding[],
  findings: readonly Finding[],
  since: Since,
): RoundMatches {
  return matched(carriedLedger(ledger, since), findings);
}

/** What of that is in doubt, and more that words alone could not decide: what a reviewer can be asked about. */
export function doubtfulPairs(
  ledger: readonly TrackedFinding[],
  findings: readonly Finding[],
  since: Since,
  matches: RoundMatches,
): DoubtfulPair[] {
  return doubtful(mineOf(carriedLedger(ledger, since)), findings, matches);
}

function matched(ledger: readonly Carried[], findings: readonly Finding[]): RoundMatches {
  const mine = mineOf(ledger);
  const placed = mine.map(({ entry: { finding }, codeChanged }) => ({ finding, codeChanged }));
  const pairs = match(placed, findings, OVER_ROUNDS).flatMap(({ earlier, later, score }) => {
    const fingerprint = mine[earlier]?.entry.fingerprint;
    return fingerprint === undefined ? [] : [{ finding: later, fingerprint, score: Math.round(score * 1000) / 1000 }];
  });
  return { matcher: MATCHER, pairs };
}

/** No review speaks of what a push is held for. */
function mineOf(ledger: readonly Carried[]): Carried[] {
  return ledger.filter(({ entry }) => entry.heldIn === undefined);
}

/** A finding of this round that an entry of the ledger goes on with. */
export interface Continued {
  finding: Finding;
  match: NonNullable<Sighting["match"]>;
}

/** By the entry's index. */
export function continued(ledger: readonly Carried[], seen: RoundSeen): Map<number, Continued> {
  const { findings } = seen.report;
  const { matcher, pairs } = seen.matches ?? matched(ledger, findings);
  const indexOf = new Map(ledger.map(({ entry }, index) => [entry.fingerprint, index]));
  const free = new Set(findings);
  const found = new Map<number, Continued>();
  for (const { finding: at, fingerprint, score, by } of pairs) {
    const [finding, entry] = [findings[at], indexOf.get(fingerprint)];
    if (finding === undefined || entry === undefined || found.has(entry) || !free.delete(finding)) continue;
    found.set(entry, { finding, match: { score, matcher, ...(by === undefined ? {} : { by }) } });
  }
  return found;
}

export function seenIn(
  { round }: Pick<RoundSeen, "round">,
  codeChanged: boolean | null,
  match?: Sighting["match"],
): Sighting {
  return { round, codeChanged, ...(match === undefined ? {} : { match }) };
}

export function firstSighting(finding: Finding, seen: RoundSeen): Sighting {
  return seenIn(seen, standsOnChanged(finding, seen));
}
