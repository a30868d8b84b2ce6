export { drive } from "./loop/driver.ts";
export { LoopEngine } from "./loop/loop-engine.ts";
export { branchWork } from "./work/branch-work.ts";
export { memoryBlobs, memoryLog } from "./work/memory-log.ts";
export { projectChecks } from "./work/project-checks.ts";
