import { UsageError } from "@anneal/engine";
import { playersHelp } from "../run/players-help.ts";
import { runUnits } from "./run.ts";
import { showUnits } from "./status.ts";

const help = `anneal unit: units of tasks, reviewed in passing and merged

  anneal unit run DIR…             run units: specs/tasks/app-shell, or just app-shell; specs/tasks runs all
  anneal unit run DIR… --dry-run   what would run, in which order; nothing is started
  anneal unit status [DIR…]        where units stand; all of them unless named

  --into BRANCH                    the feature branch that takes them in (default: the one checked out here)
  --agent NAME                     who does the tasks and mends what the review finds
  --implementer NAME  --fixer NAME
                                   who does one of the two ({id} in a name stands for the unit;
                                   default: "agents" of the settings)
  --reviewer NAME                  who reviews, instead of whom code_review: in .choo.yaml names
  --concurrency N                  units at the same time (default: maxConcurrency of the settings, or 3)
  --json                           one line of JSON per event while running; data with --dry-run and status

${playersHelp()}

Each task is built, checked by its backpressure command and committed, one after another, on the branch unit/NAME in a workspace of
its own. After the last the baseline_checks have to hold, and the review runs once. It is advice: whatever comes of it is
recorded, and the unit is merged. A conflict waits for you: merge by hand, or resolve it on the unit's branch, then
anneal retry unit:NAME. Signals, show, history and export take unit:NAME.

Exit code: 0 every unit is merged, 1 something failed or needs a person, or a merged tree is red, 2 usage, 130 stopped.
`;

async function run([verb, ...args]: string[]): Promise<number> {
  if (verb === "run") return await runUnits(args);
  if (verb === "status") return await showUnits(args);
  throw new UsageError(
    verb === undefined
      ? "say what to do: anneal unit run DIR…, or anneal unit status"
      : `there is no anneal unit ${verb}; there are run and status`,
  );
}

export const command = { help, run };
