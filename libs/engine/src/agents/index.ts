export { AGENTS } from "./catalog.ts";
export type { AgentTerms } from "./fitted.ts";
export { loadAgentTerms } from "./settings.ts";
export { type RoundTrip, type SurveyedAgent, surveyAgents, testAgent } from "./survey.ts";
