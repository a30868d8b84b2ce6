export { type FileProblem, problemText } from "../stories/front-matter/problem.ts";
export { CHOO_FILE, type Choo, type ChooRead, interpretChoo, readChoo } from "./choo-file.ts";
export { type CommandStep, readCommand } from "./command.ts";
export { readUnit, type TaskFile, type UnitFile, type UnitRead } from "./read-unit.ts";
export { findUnits, type ReadUnitsOptions, readUnits, type Units } from "./read-units.ts";
export { runSteps, type StepsResult, stepArgv } from "./run-steps.ts";
export { type ManagedFields, writePlan, writeTaskStatus } from "./write-unit.ts";
