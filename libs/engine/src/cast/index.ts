export { AGENTS } from "./catalog.ts";
export { type CheckedAgent, type CheckedAnswer, checkAgent, checkAnswer } from "./check.ts";
export type { AgentTerms } from "./fitted.ts";
export { startsPrograms } from "./named.ts";
export { judgingTerms, loadAgentTerms } from "./settings.ts";
export { agentToTest, type RoundTrip, type SurveyedAgent, surveyAgents, testAgent } from "./survey.ts";
