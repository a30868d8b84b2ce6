import { type ChecksRequest, type ChecksResult, runChecks } from "../checks/run-checks.ts";
import { addTotals } from "../checks/test-totals.ts";
import type { CommandStep } from "./command.ts";

export interface StepsResult extends ChecksResult {
  /** The step at which it ended, as it was written; nothing where all passed. */
  failed?: string;
}

/** Runs the steps of a command one after another, up to the first that fails. No shell is involved. */
export async function runSteps(
  steps: readonly CommandStep[],
  request: Omit<ChecksRequest, "command">,
): Promise<StepsResult> {
  let all: StepsResult = { result: "not-configured", blamed: [], preexisting: [], flaky: [], output: "" };
  for (const step of steps) {
    const ran = await runChecks({ ...request, command: stepArgv(step) });
    const note = ran.note?.replaceAll(process.execPath, step.argv[0]);
    const output = `${all.output}${ran.output}`;
    const preexisting = [...all.preexisting, ...ran.preexisting];
    const flaky = [...all.flaky, ...ran.flaky];
    const wasFlaky = all.result === "flaky" && ran.result === "passed";
    const totals = all.totals && ran.totals ? addTotals(all.totals, ran.totals) : (ran.totals ?? all.totals);
    const said = { ...(note === undefined ? {} : { note }), ...(totals === undefined ? {} : { totals }) };
    all = { ...ran, ...said, output, preexisting, flaky };
    if (wasFlaky) all.result = "flaky";
    if (ran.result !== "passed" && ran.result !== "flaky") return { ...all, failed: step.line };
  }
  return all;
}

/**
 * A step as plain arguments. A folder or variables of its own are set by a small program of ours inside the sandbox:
 * outside of it, the folder would be the only one that can be written, and the variables would reach the sandbox itself.
 */
export function stepArgv({ argv, folder, env }: CommandStep): [string, ...string[]] {
  if (folder === "" && Object.keys(env).length === 0) return [...argv];
  return [process.execPath, "-e", IN_PLACE, "--", JSON.stringify({ folder, env }), ...argv];
}

const IN_PLACE = `
const { realpathSync } = require("node:fs");
const { constants } = require("node:os");
const { sep } = require("node:path");
const [place, program, ...args] = process.argv.slice(1);
const { folder, env } = JSON.parse(place);
const fail = (code, why) => { console.error(why); process.exit(code); };
try {
  const top = process.cwd();
  if (folder !== "") process.chdir(folder);
  if (!(realpathSync(".") + sep).startsWith(realpathSync(top) + sep)) fail(126, folder + " leads out of the worktree");
} catch (error) {
  fail(126, "cd " + folder + ": " + error.message);
}
const { spawnSync } = require("node:child_process");
const ran = spawnSync(program, args, { stdio: "inherit", env: { ...process.env, ...env } });
if (ran.error) fail(127, program + " was not found: " + ran.error.message);
process.exit(ran.status ?? 128 + (constants.signals[ran.signal] ?? 0));
`;
