export { agentReviewer, type ReviewBrief } from "./agent-reviewer.ts";
export { ensembleReviewer } from "./ensemble.ts";
export { secondLookReviewer, setAsideReviewer, unsignedReviewer } from "./second-look.ts";
export { verifiedReviewer } from "./verified.ts";
