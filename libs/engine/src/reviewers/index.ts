export { type AgentReviewerOptions, agentReviewer, type ReviewBrief } from "./agent-reviewer.ts";
export { type EnsembleOptions, ensembleReviewer } from "./ensemble.ts";
export { type VerifiedOptions, verifiedReviewer } from "./verified.ts";
