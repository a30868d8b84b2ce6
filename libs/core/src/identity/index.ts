export { decisionKeeper } from "./decisions.ts";
export { MATCHER } from "./match.ts";
export { type SeenOnce, sameDefects } from "./reviewers.ts";
export {
  carriedLedger,
  continued,
  firstSighting,
  matchRound,
  placedNow,
  type RoundSeen,
  seenIn,
} from "./rounds.ts";
export { saysNearlyThat, saysTheSame } from "./same-words.ts";
