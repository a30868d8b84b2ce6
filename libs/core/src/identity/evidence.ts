import { nameOthers } from "./contrast.ts";
import { codeLikeness, evenly, jaccard, linesBetween, type ReadFinding, shared, type Weigh } from "./likeness.ts";
import { meaning, type WordingLikeness } from "./meaning.ts";

/** Of a finding as it stands where it is compared: the earlier one of a pair. */
export interface ComparedFinding extends ReadFinding {
  /** Whether its lines were changed since; null where that is not known. */
  codeChanged: boolean | null;
}

/** What speaks for two findings being one defect. */
export interface Evidence {
  /** Everything together; most pairs of different defects are below zero. */
  weight: number;
  /** Shared words over all words, each counting the same. */
  words: number;
  where: "same file" | "far off" | "moved" | "no place";
  codeChanged: boolean;
  /** Nothing could make them one; it only counts as a rival of others. */
  isRuledOut: boolean;
  /** It is so plain that they are two that nobody need be asked. */
  isPlain: boolean;
}

/** Fitted to pairs that readers judged (bench/identity); rounded, since more digits would only fit those pairs. */
const WEIGHTS = {
  base: -7.8,
  /** Each shared word; one that many findings use counts less. */
  sharedWord: 1.37,
  /** Each telling word that both say, be it in other words. */
  amount: 0.91,
  /** Likeness of what both are about as a whole. */
  about: 1.5,
  /** The same code on the same lines. */
  sameLocation: 1,
  /** Less with every line between them. */
  near: 2.15,
  far: -0.25,
  /** The lines of the earlier one were edited: what stands there now may be another defect. */
  edited: -1.1,
  /** Another file holds the same code. */
  movedCode: 7,
};
const MOST_SHARED = 8;
const NEAR_LINES = 6;
const FAR_LINES = 20;
/** So far apart that one would not name the other's line for its own. */
const FAR_OFF_LINES = 40;
const SAME_CODE = 0.9;
const LIKE_CODE = 0.5;
const SOME_CODE = 0.2;
export const EQUAL_WORDS = 0.9;
/** Without two words in common, or half of a short wording, nothing else makes two findings one: a line can hold several defects. */
const FEWEST_SHARED = 2;
const MOSTLY_SHARED = 0.5;
/** Or a good part of what each says, in other words. */
const MOSTLY_MEANT = 0.25;

/** In two locations that cannot be one, words make no difference. */
const NOTHING_MEANT: WordingLikeness = { share: 0, amount: 0, about: 0 };

export function evidence(earlier: ComparedFinding, later: ReadFinding, weigh: Weigh): Evidence {
  const code = codeLikeness(earlier, later);
  const words = wordsAlike(earlier, later);
  const where = whereOf(earlier, later, code, words);
  const common = shared(earlier.words, later.words, weigh);
  const { share, amount, about } = where === null ? NOTHING_MEANT : meaning(earlier.words, later.words, weigh);
  const isTooLittle = common < FEWEST_SHARED && words < MOSTLY_SHARED && share < MOSTLY_MEANT;
  const codeChanged = earlier.codeChanged === true;
  const weight =
    WEIGHTS.base +
    WEIGHTS.sharedWord * Math.min(common, MOST_SHARED) +
    WEIGHTS.amount * amount +
    WEIGHTS.about * about +
    locationWeight(earlier, later, code, where) +
    (codeChanged ? WEIGHTS.edited : 0);
  const isOther = nameOthers(earlier.named, later.named) || !isOfSameCheck(earlier, later, code);
  const isRuledOut = where === null || isTooLittle || isOther;
  // What was edited where it stood may be in another file now, and look different there.
  const isPlain = isOther || (where === null && !codeChanged);
  return { weight, words, where: where ?? "moved", codeChanged, isRuledOut, isPlain };
}

function wordsAlike(a: ReadFinding, b: ReadFinding): number {
  if (a.finding.title === b.finding.title && a.finding.description === b.finding.description) return 1;
  return jaccard(a.words, b.words, evenly);
}

/** A named check says the same words of everything that it finds: only its code tells two of them apart. */
function isOfSameCheck({ finding: a }: ReadFinding, { finding: b }: ReadFinding, code: number | null): boolean {
  if (a.rule === undefined || b.rule === undefined) return true;
  return a.rule === b.rule && (code === null || code >= LIKE_CODE);
}

function whereOf(
  earlier: ComparedFinding,
  later: ReadFinding,
  code: number | null,
  words: number,
): Evidence["where"] | null {
  const { finding: a } = earlier;
  const { finding: b } = later;
  if (a.file === undefined || b.file === undefined) return "no place";
  if (a.file === b.file) {
    const isFar = (linesBetween(a, b) ?? 0) > FAR_OFF_LINES && (code ?? 0) < SAME_CODE;
    return isFar ? "far off" : "same file";
  }
  if (code === null) return null;
  const isPart = earlier.codeChanged === true && code >= SOME_CODE && words >= EQUAL_WORDS;
  return code >= SAME_CODE || isPart ? "moved" : null;
}

function locationWeight(
  { finding: a }: ReadFinding,
  { finding: b }: ReadFinding,
  code: number | null,
  where: Evidence["where"] | null,
): number {
  if (where === null) return 0;
  if (where === "moved") return WEIGHTS.movedCode;
  const lines = where === "no place" ? null : linesBetween(a, b);
  if (lines === null) return 0;
  return (
    WEIGHTS.near * Math.exp(-lines / NEAR_LINES) +
    (lines === 0 && code === 1 ? WEIGHTS.sameLocation : 0) +
    (lines > FAR_LINES ? WEIGHTS.far : 0)
  );
}
