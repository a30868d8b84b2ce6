import { codeLikeness, jaccard, linesBetween, type Read, type Weigh } from "./likeness.ts";

/** Of a finding as it stands where it is compared: the earlier one of a pair. */
export interface Standing extends Read {
  /** Whether its lines were changed since; null where that is not known. */
  codeChanged: boolean | null;
}

/**
 * How alike two findings' words have to be to be one defect, from 0 to 1, by what else speaks for it: the nearer the place and
 * the more alike the code, the fewer words it takes. Null: never.
 */
export interface Bars {
  /** The same code on the same lines, which nobody touched. */
  samePlace: number;
  /** Up to three lines beside it, as reviewers point. */
  beside: number;
  /** Up to eight lines beside it. */
  around: number;
  /** Elsewhere in the same file. */
  sameFile: number;
  /** More than forty lines off, with other code. */
  far: number | null;
  /** The lines of the earlier one were edited: what stands there now may be another defect, or what is left of the old one. */
  editedSameCode: number;
  edited: number;
  /** Neither names a file. */
  noFile: number;
  /** Only one of them names a file. */
  oneFile: number;
  /** Another file, which holds the same code. */
  movedCode: number | null;
  /** Another file with some of the code, and the old place is no longer as it was. */
  movedPart: number | null;
}

const BESIDE_LINES = 3;
const AROUND_LINES = 8;
const FAR_LINES = 40;
const SAME_CODE = 0.9;
const LIKE_CODE = 0.5;
const SOME_CODE = 0.2;

/** 0.5 is on the bar: what is above may be one defect. */
export const ON_THE_BAR = 0.5;

/** How much speaks for two findings being one defect, from 0 to 1. */
export function score(earlier: Standing, later: Read, bars: Bars, weigh: Weigh): { score: number; isMove: boolean } {
  const code = codeLikeness(earlier, later);
  const { finding: a } = earlier;
  const { finding: b } = later;
  const isMove = a.file !== undefined && b.file !== undefined && a.file !== b.file;
  const bar = named(earlier, later, code) ? barFor(earlier, later, code, bars) : null;
  if (bar === null) return { score: 0, isMove };
  const words =
    earlier.words.size + later.words.size === 0 ? sameText(earlier, later) : jaccard(earlier.words, later.words, weigh);
  const above = words >= bar;
  return {
    score: above ? ON_THE_BAR + ((1 - ON_THE_BAR) * (words - bar)) / (1 - bar) : (ON_THE_BAR * words) / bar,
    isMove,
  };
}

function sameText({ finding: a }: Read, { finding: b }: Read): number {
  return a.title === b.title && a.description === b.description ? 1 : 0;
}

/** A named check says the same words of everything that it finds: only its code tells two of them apart. */
function named({ finding: a }: Read, { finding: b }: Read, code: number | null): boolean {
  if (a.rule === undefined || b.rule === undefined) return true;
  return a.rule === b.rule && (code === null || code >= LIKE_CODE);
}

function barFor(earlier: Standing, later: Read, code: number | null, bars: Bars): number | null {
  const { finding: a, codeChanged } = earlier;
  const { finding: b } = later;
  if (a.file === undefined && b.file === undefined) return bars.noFile;
  if (a.file === undefined || b.file === undefined) return bars.oneFile;
  if (a.file !== b.file) {
    if (code !== null && code >= SAME_CODE) return bars.movedCode;
    return codeChanged === true && code !== null && code >= SOME_CODE ? bars.movedPart : null;
  }
  const lines = linesBetween(a, b);
  if (lines === null) return bars.sameFile;
  if (codeChanged === true) {
    if (lines <= BESIDE_LINES && code !== null && code >= SAME_CODE) return bars.editedSameCode;
    return bars.edited;
  }
  if (lines === 0 && code === 1) return bars.samePlace;
  if (lines <= BESIDE_LINES) return bars.beside;
  // Where nobody knows what moved, the code itself says where it is.
  if (lines <= AROUND_LINES || (codeChanged === null && code === 1)) return bars.around;
  return lines > FAR_LINES && (code ?? 0) < SAME_CODE ? bars.far : bars.sameFile;
}
