export { AdvisoryReviewFailed, ClaudeReviewer, CodexReviewer } from "./advisory-reviewers.ts";
export { buildCodeReviewPrompt, parseCodeReviewResponse } from "./code-review.ts";
export { generatedReview, type ReviewedProject, ReviewRefused } from "./generated-review.ts";
export { ProviderFactory, resolveModelString } from "./model-provider.ts";
export { type MonitorArgs, PRFeedbackMonitor } from "./pr-feedback-monitor.ts";
export { RefinementService } from "./refinement-service.ts";
export { type ReviewLoopEventName, ReviewLoopOrchestrator } from "./review-loop-orchestrator.ts";
export { SelfReviewFailed, SelfReviewService } from "./self-review-service.ts";
export { Refused, type ServiceProject } from "./service-project.ts";
