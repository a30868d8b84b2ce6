import { UsageError } from "@anneal/engine";
import { playersHelp } from "../run/players-help.ts";
import { runUnits } from "./run.ts";
import { showUnits } from "./status.ts";

const help = `anneal unit: units of tasks, with an advisory review and a merge

  anneal unit run DIR…             run units: specs/tasks/app-shell, or just app-shell; specs/tasks runs all
  anneal unit run DIR… --dry-run   show what would run, in which order; starts nothing
  anneal unit status [DIR…]        the state of units (default: all)

  --into BRANCH                    the feature branch to merge into (default: the one checked out here)
  --agent NAME                     the agent for tasks and fixes
  --implementer NAME  --fixer NAME
                                   the agent for one role ({id} in a name stands for the unit;
                                   default: "agents" of the settings)
  --reviewer NAME                  the reviewer, instead of the one in code_review: of .choo.yaml
  --concurrency N                  units at the same time (default: maxConcurrency in the settings, or 3)
  --json                           one line of JSON per event while running; data with --dry-run and status

${playersHelp()}

Each task is built, checked by its backpressure command and committed, one after another, on the branch unit/NAME in its own
workspace. After the last task the baseline_checks must pass, and the review runs once. It is advice: whatever its result, it is
recorded, and the unit is merged. A conflict waits for you: merge by hand, or resolve it on the unit's branch, then
anneal retry unit:NAME. Signals, show, history and export take unit:NAME.

Exit code: 0 every unit is merged, 1 something failed or needs you, or a merged tree fails its checks, 2 usage, 130 stopped.
`;

async function run([verb, ...args]: string[]): Promise<number> {
  if (verb === "run") return await runUnits(args);
  if (verb === "status") return await showUnits(args);
  throw new UsageError(
    verb === undefined
      ? "a subcommand is required: anneal unit run DIR…, or anneal unit status"
      : `unknown command anneal unit ${verb}; known: run, status`,
  );
}

export const command = { help, run };
