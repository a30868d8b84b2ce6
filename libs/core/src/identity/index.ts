export { decisionKeeper } from "./decisions.ts";
export { type DoubtfulPair, settled } from "./doubtful.ts";
export { MATCHER } from "./match.ts";
export { type SeenOnce, sameDefects } from "./reviewers.ts";
export {
  carriedLedger,
  continued,
  doubtfulPairs,
  firstSighting,
  matchRound,
  movedTo,
  type RoundSeen,
  seenIn,
} from "./rounds.ts";
export { saysNearlyThat, saysTheSame } from "./same-words.ts";
