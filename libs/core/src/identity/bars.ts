import type { Bars } from "./score.ts";

/** One reviewer over rounds. What it says anew in other words, and elsewhere, is another defect until more speaks for it. */
export const OVER_ROUNDS: Bars = {
  samePlace: 0.14,
  beside: 0.17,
  around: 0.21,
  sameFile: 0.35,
  far: 0.35,
  editedSameCode: 0.2,
  edited: 0.35,
  noFile: 0.3,
  oneFile: 0.5,
  movedCode: 0.25,
  movedPart: 0.85,
};

/** Several reviewers of one state, each with its own words: 0.30 was measured (shared words over all words), whatever the line. */
export const ACROSS_REVIEWERS: Bars = {
  samePlace: 0.14,
  beside: 0.17,
  around: 0.2,
  sameFile: 0.3,
  far: null,
  editedSameCode: 0.2,
  edited: 0.3,
  noFile: 0.3,
  oneFile: 0.3,
  movedCode: null,
  movedPart: null,
};
