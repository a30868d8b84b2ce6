export { agentsFor } from "./agents/named.ts";
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
export { boundsOf, type LabelledBounds, type Selection } from "./bounds.ts";
export { NoLoopYet, NothingToReview, UsageError } from "./errors.ts";
export { type ReviewArgs, review } from "./review.ts";
export { shellWord } from "./shell-word.ts";
