import type { TaskFile, UnitFile } from "@anneal/adapters/units";
import { unitCommitMessage, unitMergeMessage } from "@anneal/core/units";
import type { Repo } from "@anneal/git";
import type { WorkItemText } from "@anneal/prompts";
import type { LoopState } from "@anneal/types";
import { shellWord } from "../../errors/shell-word.ts";
import { keyOf } from "../../history/item-key.ts";
import type { StageWork } from "../../loop/driver.ts";
import { type LoopWorkArgs, loopWork } from "../../work/loop-work.ts";
import { mergeInto } from "../../work/merge-work.ts";
import { taskUnderWay, type UnitChecks } from "./checks.ts";

export interface UnitWorkArgs {
  equipped: Omit<LoopWorkArgs, "branch" | "workItem" | "steps" | "commitMessage">;
  unit: UnitFile;
  branch: string;
  into: string;
  main: Repo;
  checks: UnitChecks;
  /** What is merged for a head: a person may have resolved a conflict on top of it. */
  resolved(head: string): Promise<string>;
}

/** The work of a unit: its tasks one after another, the review of them all, and the merge into the feature branch. */
export function unitWork({ equipped, unit, branch, into, main, checks, resolved }: UnitWorkArgs): StageWork {
  const { clock } = equipped;
  const name = unit.unit.plan.unit;
  const merge = mergeInto({
    main,
    into,
    message: () => unitMergeMessage({ unit: name, into }),
    advice: () => adviceOn({ unit: name, branch, into }),
    next: goingOn(name),
    validate: checks.merged,
    clock,
  });
  const work = (task: TaskFile | undefined) =>
    loopWork({
      ...equipped,
      branch,
      steps: {},
      // The log owns what is written there, and a person's copy of it would be in the way of the merge.
      frozen: [unit.dir],
      workItem: textOf(unit, task),
      checks: checks.beforeCommit,
      commitMessage: (state, fix) =>
        unitCommitMessage({ unit: name, task: taskUnderWay(unit.tasks, state)?.title ?? "" }, state, fix),
      delivery: {
        merging: async (state, signal, turn) =>
          await merge({ ...state, head: await resolved(state.head) }, signal, turn),
      },
    });
  const at = (state: LoopState) => work(taskUnderWay(unit.tasks, state));
  return {
    ...work(undefined),
    implementing: (state, signal, turn) => at(state).implementing(state, signal, turn),
    fixing: (state, signal, turn) => at(state).fixing(state, signal, turn),
  };
}

/** The two ways out of a conflict, and the words that go on. */
function adviceOn({ unit, branch, into }: { unit: string; branch: string; into: string }): string {
  const onBranch = `run git switch ${shellWord(branch)} and git merge ${shellWord(into)} in your checkout, resolve the conflict and commit`;
  return `because ${into} has moved: ${onBranch}, or merge ${branch} into ${into} yourself; then ${goingOn(unit)}`;
}

function goingOn(unit: string): string {
  const key = keyOf({ kind: "unit", id: unit });
  return `anneal retry ${key} and anneal run ${key}`;
}

/** The prompt of an agent: the task that it carries out, and the plan that the task is part of. */
function textOf({ unit, title, text }: UnitFile, task: TaskFile | undefined): WorkItemText {
  const id = unit.plan.unit;
  if (task === undefined) return { id, title, description: text };
  const check = `The command that checks this task: ${task.task.backpressure}`;
  return { id, title: task.title, description: `${task.text.trim()}\n\n${check}`, spec: text.trim() };
}
