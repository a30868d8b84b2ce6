import { UsageError } from "@anneal/engine";
import { playersHelp } from "../run/players-help.ts";
import { resumeEpic } from "./resume.ts";
import { runEpic } from "./run.ts";
import { showEpic } from "./status.ts";

const help = `anneal epic: epics, whose tickets are built in waves, reviewed with scores, and merged

  anneal epic run FILE             run an epic: .epics/limits/limits.epic.yaml, its folder, or just limits
  anneal epic run FILE --dry-run   waves, branches, what each ticket starts from, who would play; nothing is started
  anneal epic status FILE          where its tickets stand; --reports shows the last review of each
  anneal epic resume FILE          go on: what waits is sent on, what failed is started anew

  --base REF                       where the epic starts (default: the repository's default branch)
  --agent NAME                     who plays every part
  --implementer NAME  --reviewer NAME  --fixer NAME
                                   who plays one part ({id} in a name stands for EPIC/TICKET; default: "agents" of the
                                   settings). The reviewer has to give scores, which builtin does not.
  --concurrency N                  tickets at the same time (default: maxConcurrency of the settings, or 3)
  --json                           one line of JSON per event while running; data with --dry-run and status

${playersHelp()}

A ticket is built on the branch ticket/NAME, from the work of the tickets that it depends on, or from where the epic started.
It is reviewed once its tests pass (testCommand of the settings) and its builder has reported on every acceptance criterion.
A review that fails sends it back, twice at most; then it has failed, and what depends on it is blocked. Once every ticket is
settled, the completed ones are merged into epic/NAME, dependencies first, and the tree after each merge is tested.
The state is in artifacts/epic-state.json beside the epic. Signals, show, history and export take ticket:EPIC/TICKET and epic:EPIC.

Exit code: 0 the epic is completed and its merged trees are green, 1 something failed or needs a person, 2 usage, 130 stopped.
`;

const VERBS: Record<string, (args: string[]) => Promise<number>> = {
  run: runEpic,
  status: showEpic,
  resume: resumeEpic,
};

async function run([verb = "", ...args]: string[]): Promise<number> {
  const act = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (act !== undefined) return await act(args);
  throw new UsageError(
    verb === ""
      ? "say what to do: anneal epic run FILE, anneal epic status FILE, or anneal epic resume FILE"
      : `there is no anneal epic ${verb}; there are run, status and resume`,
  );
}

export const command = { help, run };
