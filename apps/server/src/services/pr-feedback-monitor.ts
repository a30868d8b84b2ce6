export { PRFeedbackMonitor } from "@anneal/engine/services";
