export { findEpics } from "@anneal/adapters/epics";
export { problemText, reviewReportText } from "@anneal/core/epics";
export { type EpicPlan, epicCast, type PlannedEpic, type PlannedTicket, planEpic } from "./project/tickets/plan.ts";
export { sendOn } from "./project/tickets/send-on.ts";
