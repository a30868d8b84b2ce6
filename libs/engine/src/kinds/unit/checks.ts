import { type ChecksRequest, type ChecksResult, runChecks } from "@anneal/adapters/checks";
import { type Choo, runSteps, type TaskFile } from "@anneal/adapters/units";
import { isHalfBuilt } from "@anneal/core";
import type { Repo } from "@anneal/git";
import { failpoint } from "@anneal/system/failpoint";
import type { LoopState } from "@anneal/types";
import type { Workspaces } from "@anneal/workspace";
import { LastingError } from "../../errors/errors.ts";
import { makeReady } from "../../items/prepare.ts";
import type { ReviewCopies } from "../../review/review-copies.ts";
import type { RunChecks } from "../../work/loop-work.ts";
import type { MadeMerge } from "../../work/merge-work.ts";
import {
  baselineOf,
  blamedOn,
  type CheckSettings,
  refuseUnusable,
  TEST_TIMEOUT_MS,
  testsOf,
} from "../../work/project-checks.ts";

export interface UnitChecksArgs {
  /** By number. */
  tasks: readonly TaskFile[];
  baselineChecks: Choo["baselineChecks"];
  /** The unit's workspace. */
  repo: Repo;
  main: Repo;
  workspaces: Workspaces;
  /** Where merged trees are looked at. */
  trees: ReviewCopies;
  /** What the unit starts from. */
  base: string;
  settings: CheckSettings;
}

export interface UnitChecks {
  beforeCommit: RunChecks;
  merged(merge: MadeMerge, signal: AbortSignal): ReturnType<RunChecks>;
}

/**
 * The checks of a unit. A task is done when its own command succeeds, whatever was red before: that is what the task is about.
 * After the last task, and after every fix, the project's checks have to hold as well, apart from what failed before.
 */
export function unitChecks(args: UnitChecksArgs): UnitChecks {
  const { tasks, repo, trees, base, settings } = args;
  const projects = projectsOwn(args);
  const timeoutMs = settings.testTimeoutMs ?? TEST_TIMEOUT_MS;
  return {
    async beforeCommit(signal, state) {
      const request = { worktree: repo, timeoutMs, signal };
      const withProjects = async (ran: Ran[]) =>
        outcome([...ran, ...(await each(projects, comparedWith(base, request)))]);
      if (!isHalfBuilt(state)) {
        const headBeforeFix = state.head ?? base;
        return await withProjects(await each(distinct(tasks), comparedWith(headBeforeFix, request)));
      }
      const task = taskUnderWay(tasks, state);
      // Compared with nothing: a task's own command has to succeed.
      const ofTask = await each(task === undefined ? [] : [commandOf(task)], request);
      const isLast = state.tasks.length === 1;
      return isLast && !ofTask.some(isRed) ? await withProjects(ofTask) : outcome(ofTask);
    },

    async merged({ commit, before: target, head }, signal) {
      return await trees.lend(commit, async (worktree) => {
        failpoint("unit.validate-merge.before");
        await makeReady(worktree, settings.worktree ?? {}, { main: args.main, signal });
        const request = { worktree, timeoutMs, signal };
        const ran = [
          ...(await each(distinct(tasks), comparedWith(head, request))),
          ...(await each(projects, comparedWith(target, request))),
        ];
        failpoint("unit.validate-merge.after");
        return outcome(ran);
      });
    },
  };

  /** What fails at this commit as well is not held against the change. */
  function comparedWith(commit: string, request: Request): Request {
    return { ...request, baseline: baselineOf({ ...args, base: commit }, settings) };
  }
}

/** The task that is being built, or nothing once all are. */
export function taskUnderWay(tasks: readonly TaskFile[], { tasks: left }: LoopState): TaskFile | undefined {
  return tasks.find(({ task }) => String(task.task) === left[0]);
}

type Request = Omit<ChecksRequest, "command">;

interface Command {
  line: string;
  /** What its failure means to a fixer. */
  about: string;
  run(request: Request): Promise<ChecksResult>;
}

function commandOf({ task, title, file, steps }: TaskFile): Command {
  const about = `This command shows that task ${task.task} (${title}, ${file}) is done.`;
  return { line: task.backpressure, about, run: (request) => runSteps(steps, request) };
}

/** Tasks often share a command. */
function distinct(tasks: readonly TaskFile[]): Command[] {
  return [...new Map(tasks.map((task) => [task.task.backpressure, commandOf(task)])).values()];
}

/** The `baseline_checks` of `.choo.yaml`, and the test command of the settings. */
function projectsOwn({ baselineChecks, settings: { testCommand } }: UnitChecksArgs): Command[] {
  const own = baselineChecks.map(
    ({ name, command, steps }): Command => ({
      line: command,
      about: `This is the baseline check ${name} of the project.`,
      run: (request) => runSteps(steps, request),
    }),
  );
  if (testCommand === undefined) return own;
  const line = typeof testCommand === "string" ? testCommand : testCommand.join(" ");
  const run = async (request: Request) => {
    const checked = await runChecks({ ...request, command: testCommand });
    refuseUnusable(checked, testCommand);
    return checked;
  };
  return [...own, { line, about: "This is the project's test command.", run }];
}

type Ran = Command & { checked: ChecksResult };

async function each(commands: readonly Command[], request: Request): Promise<Ran[]> {
  const ran: Ran[] = [];
  for (const command of commands) {
    const checked = await command.run(request);
    if (checked.result === "unusable") throw new LastingError(`\`${command.line}\`: ${checked.note} ${command.about}`);
    ran.push({ ...command, checked });
  }
  return ran;
}

function isRed({ checked: { result } }: Ran): boolean {
  return result === "failed" || result === "timed-out";
}

function outcome(ran: readonly Ran[]): Awaited<ReturnType<RunChecks>> {
  if (ran.length === 0) return { result: "not-configured", findings: [] };
  const findings = ran
    .filter(isRed)
    .flatMap(({ line, about, checked }) =>
      blamedOn(line, checked).map((finding) => ({ ...finding, description: `${about}\n\n${finding.description}` })),
    );
  const tests = testsOf(ran.map(({ checked }) => checked));
  return { result: findings.length === 0 ? "passed" : "failed", findings, ...tests };
}
