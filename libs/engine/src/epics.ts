export { findEpics } from "@anneal/adapters/epics";
export { problemText, reviewReportText } from "@anneal/core/epics";
export { type EpicPlan, epicCast, type PlannedEpic, type PlannedTicket, planEpic } from "./kinds/ticket/plan.ts";
export { resumeWaiting } from "./signals/resume-waiting.ts";
