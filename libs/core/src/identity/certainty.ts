import type { Evidence } from "./evidence.ts";

/** How sure one has to be to call two findings one. */
export interface Caution {
  atLeast: number;
  /** Words so alike are enough by themselves, in one file. */
  wordsAlone: number;
  /** The same, where more than forty lines are between the two; null: no words are. */
  wordsAloneFarOff: number | null;
}

/** Chosen so that of the judged near misses no more than one in a hundred is taken for the same. */
const SURE = 0.7;

/** One reviewer over rounds: what it says in other words is another defect until more speaks for it. */
export const OVER_ROUNDS: Caution = { atLeast: SURE, wordsAlone: 0.6, wordsAloneFarOff: 0.6 };

/** Several reviewers of one state, each with its own words: 0.30 was measured to be enough. */
export const ACROSS_REVIEWERS: Caution = { atLeast: SURE, wordsAlone: 0.3, wordsAloneFarOff: null };

/** A rival below that does not count; lower, and a finding without rivals would pass for any other. */
const UNRELATED = -2.5;
const MOST_AHEAD = 4;
/** Enough words by themselves make a pair at least so sure, the surer the more alike they are. */
const BY_WORDS = 0.9;

/**
 * How sure it is that two findings are one, from 0 to 1: by what speaks for it, and by how much more that is than what speaks
 * for any other partner of either. Fitted like the evidence.
 */
export function certainty(found: Evidence, rivals: { ofEarlier: number; ofLater: number }, caution: Caution): number {
  const { weight, codeChanged, words, where } = found;
  if (found.isRuledOut) return 0;
  const ahead = (rival: number) => {
    const lead = weight - Math.max(rival, UNRELATED);
    return Math.max(-MOST_AHEAD, Math.min(MOST_AHEAD, lead));
  };
  const sum =
    -1.18 +
    0.57 * Math.max(weight, 0) +
    0.85 * ahead(rivals.ofEarlier) +
    0.36 * ahead(rivals.ofLater) -
    (codeChanged ? 1.73 : 0);
  const sure = 1 / (1 + Math.exp(-sum));
  const enough = where === "far off" ? caution.wordsAloneFarOff : where === "moved" ? null : caution.wordsAlone;
  if (where === "far off" && enough === null) return 0;
  return enough !== null && words >= enough ? Math.max(sure, BY_WORDS + (1 - BY_WORDS) * words) : sure;
}
