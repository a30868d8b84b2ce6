export { branchWork } from "./branch-work.ts";
export { drive } from "./driver.ts";
export { LoopEngine } from "./loop-engine.ts";
export { memoryBlobs, memoryLog } from "./memory-log.ts";
export { projectChecks } from "./project-checks.ts";
