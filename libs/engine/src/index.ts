export {
  builtinFixer,
  initRepo,
  openRepo,
  policyNamed,
  REVIEWERS,
  type Repo,
  reviewerNamed,
  systemClock,
} from "./assemble.ts";
export { type Bounded, boundsOf, type Selection } from "./bounds.ts";
export { branchWork } from "./branch-work.ts";
export { type Diagnosis, diagnose } from "./doctor.ts";
export { drive } from "./driver.ts";
export { NothingToReview, UsageError } from "./errors.ts";
export { memoryLog } from "./memory-log.ts";
export { type ReviewArgs, review } from "./review.ts";
