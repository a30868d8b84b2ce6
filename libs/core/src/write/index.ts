export { sanitise, sanitiseDeep } from "../text/sanitise.ts";
export {
  type Certificate,
  type CertificateSource,
  certificate,
  decisionsIn,
  type PersonsDecision,
  policyHash,
} from "./certificate/certificate.ts";
export { type CertifiedChecks, certifiedChecks } from "./certificate/certified-checks.ts";
export { playedParts } from "./certificate/played.ts";
export { toCodeReviewFinding } from "./code-review-finding.ts";
export { toCodeReviewIteration } from "./code-review-iteration.ts";
export {
  featureCommitMessage,
  featureStepCommitMessage,
  plainFeatureMessage,
  pullRequestFixCommitMessage,
  storyFixCommitMessage,
} from "./commit-messages.ts";
export {
  brokenReviewFile,
  codeReviewSpec,
  type FeatureFields,
  featureFields,
  leavesSameFiles,
  type ReviewFile,
  reviewFileOf,
  reviewProgress,
} from "./feature-fields.ts";
export {
  findingsDocument,
  findingsDocumentPath,
  InvalidStoryIdError,
  toFindingsDocument,
} from "./findings-document.ts";
export { certificateSummary } from "./held-back.ts";
export { type IssueListStyle, issueList } from "./issue-list.ts";
export { rejectionReason } from "./rejection-reason.ts";
export { reviewFileName, reviewMarkdown } from "./review-markdown.ts";
export { revisionContext, revisionInstructions, toHistoryEntry } from "./revision.ts";
export { gateEvents, type SeedEvent } from "./seed-events.ts";
export { toReviewReport } from "./ticket-report.ts";
