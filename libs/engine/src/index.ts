export {
  builtinFixer,
  initRepo,
  openRepo,
  policyNamed,
  REVIEWERS,
  type Repo,
  type ReviewerContext,
  reviewerNamed,
  systemClock,
} from "./assemble.ts";
export { agentsFor } from "./cast/named.ts";
export { NoLoopYet, NothingToReview, UsageError } from "./errors/errors.ts";
export { shellWord } from "./errors/shell-word.ts";
export { boundsOf, type LabelledBounds, type Selection } from "./review/bounds.ts";
export { type ReviewArgs, review } from "./review/review.ts";
