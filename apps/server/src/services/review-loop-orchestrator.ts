export { ReviewLoopOrchestrator } from "@anneal/engine/services";
