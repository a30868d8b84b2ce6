import { UsageError } from "@anneal/engine";
import { playersHelp } from "../run/players-help.ts";
import { resumeEpic } from "./resume.ts";
import { runEpic } from "./run.ts";
import { showEpic } from "./status.ts";

const help = `anneal epic: epics: tickets are built in waves, reviewed with scores, and merged

  anneal epic run FILE             run an epic: .epics/limits/limits.epic.yaml, its folder, or just limits
  anneal epic run FILE --dry-run   show waves, branches, where each ticket starts, and the agents; starts nothing
  anneal epic status FILE          the state of its tickets; --reports shows the last review of each
  anneal epic resume FILE          continue: retry what waits, start what failed from scratch

  --base REF                       where the epic starts (default: the repository's default branch)
  --agent NAME                     the agent for every role
  --implementer NAME  --reviewer NAME  --fixer NAME
                                   the agent for one role ({id} in a name stands for EPIC/TICKET; default: "agents" in the
                                   settings). The reviewer must give scores, which builtin does not.
  --concurrency N                  tickets at the same time (default: maxConcurrency in the settings, or 3)
  --json                           one line of JSON per event while running; data with --dry-run and status

${playersHelp()}

A ticket is built on the branch ticket/NAME, on top of the tickets that it depends on, or else of the epic's base.
It is reviewed once its tests pass (testCommand in the settings) and the agent has reported on every acceptance criterion.
A failed review sends it back, at most twice; then the ticket fails, and what depends on it is blocked. Once every ticket is
completed, failed or blocked, the completed ones are merged into epic/NAME, dependencies first, with tests after each merge.
The state is in artifacts/epic-state.json in the epic's folder. Signals, show, history and export take ticket:EPIC/TICKET and epic:EPIC.

Exit code: 0 the epic is completed and its merged trees pass, 1 something failed or needs a person, 2 usage, 130 stopped.
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
      ? "a subcommand is required: anneal epic run FILE, anneal epic status FILE, or anneal epic resume FILE"
      : `unknown command anneal epic ${verb}; known: run, status, resume`,
  );
}

export const command = { help, run };
