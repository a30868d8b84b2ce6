import type { Finding, RoundMatches, TrackedFinding } from "@anneal/types";
import type { CarriedFinding } from "./carried-finding.ts";
import { certainty, OVER_ROUNDS } from "./certainty.ts";
import { readFinding, weighing } from "./likeness.ts";
import { type Compared, compared } from "./match.ts";

/** An open earlier finding and one of this round, of which words alone cannot tell whether they are one. */
export interface DoubtfulPair {
  fingerprint: string;
  /** The earlier one where it stands now. */
  earlier: Finding;
  /** The index of the other in the report. */
  finding: number;
  now: Finding;
  /** How sure words are. */
  score: number;
}

/** Below it hardly any pair is one defect: asking down to half of it would bring one more for thirty pairs more. */
const WORTH_ASKING = 0.01;
/** So much as a good rival would have: what is only sure because there is none is asked about. */
const RIVAL = 0;
/** So that the question stays short; the surest come first. */
const MOST_PAIRS = 20;

export function doubtful(
  ledger: readonly (Pick<CarriedFinding, "codeChanged"> & { entry: TrackedFinding })[],
  findings: readonly Finding[],
  { pairs }: RoundMatches,
): DoubtfulPair[] {
  const then = ledger.map(({ entry: { finding }, codeChanged }) => ({ ...readFinding(finding), codeChanged }));
  const now = findings.map(readFinding);
  const partner = new Map(pairs.map(({ finding, fingerprint }) => [finding, fingerprint]));
  const taken = new Set(partner.values());
  return compared(then, now, weighing(then, now))
    .flatMap((one): DoubtfulPair[] => {
      const [entry, finding] = [ledger[one.left]?.entry, findings[one.right]];
      if (entry === undefined || finding === undefined || entry.disposition.kind !== "open") return [];
      const { fingerprint } = entry;
      const isTaken = partner.get(one.right) === fingerprint;
      const isFree = !partner.has(one.right) && !taken.has(fingerprint);
      if (isTaken ? !isLone(one) : !isFree || one.found.isPlain) return [];
      const score = certainty({ ...one.found, isRuledOut: false }, one.rivals, OVER_ROUNDS);
      const rounded = Math.round(score * 1000) / 1000;
      if (rounded < WORTH_ASKING) return [];
      return [{ fingerprint, earlier: entry.finding, finding: one.right, now: finding, score: rounded }];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_PAIRS);
}

/** Sure only because nothing else is like either of them. */
function isLone({ found, rivals }: Compared): boolean {
  if (found.words >= OVER_ROUNDS.wordsAlone) return false;
  const atLeast = { ofEarlier: Math.max(rivals.ofEarlier, RIVAL), ofLater: Math.max(rivals.ofLater, RIVAL) };
  return certainty(found, atLeast, OVER_ROUNDS) < OVER_ROUNDS.atLeast;
}

/** What words decided, and of what was asked about only what was said to be the same: one to one, the surest first. */
export function settled(
  { matcher, pairs }: RoundMatches,
  asked: readonly DoubtfulPair[],
  answer: { by: string; same: readonly DoubtfulPair[] } | { by: string; unreadable: string },
): RoundMatches {
  const { by } = answer;
  const isAsked = (finding: number, fingerprint: string) =>
    asked.some((one) => one.finding === finding && one.fingerprint === fingerprint);
  const all: RoundMatches["pairs"] = pairs.filter(({ finding, fingerprint }) => !isAsked(finding, fingerprint));
  const same = "same" in answer ? answer.same : [];
  for (const { finding, fingerprint, score } of same.toSorted((a, b) => b.score - a.score)) {
    const isFree = all.every((one) => one.finding !== finding && one.fingerprint !== fingerprint);
    if (isFree) all.push({ finding, fingerprint, score, by });
  }
  const unreadable = "unreadable" in answer ? { unreadable: answer.unreadable } : {};
  return { matcher, pairs: all, asked: { by, pairs: asked.length, ...unreadable } };
}
