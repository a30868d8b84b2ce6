export { CommandSyntaxError, splitArgv } from "./argv.ts";
export { type Baseline, type BaselineStore, baselineFiles } from "./baseline.ts";
export { BASELINE_FOLDER, baselineWorktrees } from "./baseline-worktree.ts";
export type { CheckRun, CheckSettings, CheckTree } from "./check-run.ts";
export { type DetectedSetup, detectSetup } from "./detect-setup.ts";
export { isOnPath } from "./on-path.ts";
export { type ChecksRequest, type ChecksResult, runChecks } from "./run-checks.ts";
export { runSetup, type SetupRequest, type SetupResult } from "./setup.ts";
export { addTotals } from "./test-totals.ts";
