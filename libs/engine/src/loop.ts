export { branchWork } from "./branch-work.ts";
export { drive } from "./driver.ts";
export { LoopEngine } from "./loop-engine.ts";
export { memoryLog } from "./memory-log.ts";
