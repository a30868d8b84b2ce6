export { agentReviewer, type ReviewBrief } from "./reviewers/agent-reviewer.ts";
