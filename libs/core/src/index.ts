export { earned } from "./exits.ts";
export { featureStatus } from "./feature-status.ts";
export { isJudgement, type Judgement, judge, overallScore } from "./gate.ts";
export { type Observation, openFindings, standing, track } from "./lineage.ts";
export { advance, replay, start } from "./loop.ts";
export { advisoryWith, POLICIES, pullRequestWith } from "./policies/index.ts";
export { LEGAL_STAGES, refusal } from "./signals.ts";
export * from "./words.ts";
export { WORK, type Work, workOf } from "./work.ts";
