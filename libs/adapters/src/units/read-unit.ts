import { readdir } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { UNIT_STATUSES } from "@anneal/core/units";
import { PlanFrontMatter, type Unit, UnitTask } from "@anneal/types";
import { type DependentFile, dependencyProblems } from "../stories/dependencies.ts";
import type { FileProblem } from "../stories/front-matter/problem.ts";
import { stepsOf } from "./choo-file.ts";
import type { CommandStep } from "./command.ts";
import { readFrontFile } from "./front-file.ts";

export const PLAN_FILE = "IMPLEMENTATION_PLAN.md";

/** A task of a unit with the file that it was read from. */
export interface TaskFile {
  file: string;
  task: UnitTask;
  title: string;
  /** The markdown below the front matter. */
  text: string;
  /** What its backpressure command runs. */
  steps: CommandStep[];
  /** Where that command stands in the file. */
  checkLine: number;
  version: string;
}

/** A unit with the files that it was read from. */
export interface UnitFile {
  /** As it was named by the caller. */
  dir: string;
  /** The plan's file. */
  file: string;
  unit: Unit;
  title: string;
  text: string;
  version: string;
  /** By number. */
  tasks: TaskFile[];
  lines: { unit: number; dependsOn: readonly number[] };
}

export type UnitRead = ({ ok: true } & UnitFile) | { ok: false; problems: FileProblem[] };

/** Reads a unit's folder: its plan and its tasks. What is wrong comes as problems with their lines; no file is touched. */
export async function readUnit(dir: string, root: string = process.cwd()): Promise<UnitRead> {
  const file = `${dir.replace(/\/+$/, "")}/${PLAN_FILE}`;
  const plan = await readFrontFile({ file, root, fields: "a `unit`" }, listedPlan);
  const tasks = await readTasks(dir, root);
  const problems = [...(plan.ok ? [] : plan.problems), ...tasks.problems];
  if (plan.ok && plan.values.unit !== basename(resolve(root, dir))) {
    const folder = JSON.stringify(basename(resolve(root, dir)));
    const message = `the plan calls the unit ${JSON.stringify(plan.values.unit)}, but its folder is named ${folder}; make the names equal`;
    problems.push({ file, line: plan.lineOf(["unit"]), message });
  }
  const status = plan.ok ? plan.values.orch_status : undefined;
  if (plan.ok && status !== undefined && !WORDS.includes(status)) {
    const message = `orch_status: unknown value ${JSON.stringify(status.slice(0, 80))}; known: ${WORDS.join(", ")}`;
    problems.push({ file, line: plan.lineOf(["orch_status"]), message });
  }
  if (tasks.found === 0)
    problems.push({ file, line: 1, message: "the unit has no tasks: add 01-name.md in its folder" });
  if (!plan.ok || problems.length > 0) return { ok: false, problems };
  const { values, text, version, lineOf } = plan;
  const dependsOn = (values.depends_on ?? []).map((_, at) => lineOf(["depends_on", at]));
  return {
    ok: true,
    dir,
    file,
    unit: { plan: values, tasks: tasks.tasks.map(({ task }) => task) },
    title: plan.title ?? values.unit,
    text,
    version,
    tasks: tasks.tasks,
    lines: { unit: lineOf(["unit"]), dependsOn },
  };
}

const WORDS: readonly string[] = UNIT_STATUSES;

/** One dependency needs no list. */
const listedPlan = {
  safeParse(value: Record<string, unknown>) {
    const on = value.depends_on;
    return PlanFrontMatter.safeParse(typeof on === "string" ? { ...value, depends_on: [on] } : value);
  },
};

interface Tasks {
  tasks: TaskFile[];
  problems: FileProblem[];
  /** Files that look like tasks, also those that cannot be read. */
  found: number;
}

async function readTasks(dir: string, root: string): Promise<Tasks> {
  const names = await readdir(resolve(root, dir)).catch(() => []);
  const files = names.filter((name) => /^\d+-.*\.md$/.test(name)).sort();
  const reads = await Promise.all(files.map((name) => readTask(`${dir.replace(/\/+$/, "")}/${name}`, root)));
  const read = reads.flatMap((one) => (one.ok ? [one] : []));
  const dependents = read.map(({ dependent }) => dependent);
  const problems = [
    ...reads.flatMap((one) => (one.ok ? [] : one.problems)),
    ...dependencyProblems(dependents, { noun: "task", plural: "tasks", alsoKnown: unread(files, read.length) }),
  ];
  const tasks = read.map(({ taskFile }) => taskFile).sort((a, b) => a.task.task - b.task.task);
  return { tasks, problems, found: files.length };
}

/** Numbers of files that could not be read: depending on one of them is no second mistake. */
function unread(files: readonly string[], read: number): Set<string> {
  return read === files.length ? new Set() : new Set(files.map((name) => String(Number.parseInt(name, 10))));
}

type TaskRead = { ok: true; taskFile: TaskFile; dependent: DependentFile } | { ok: false; problems: FileProblem[] };

async function readTask(file: string, root: string): Promise<TaskRead> {
  const fields = "`task`, `status`, `backpressure`";
  const read = await readFrontFile({ file, root, fields }, UnitTask);
  if (!read.ok) return read;
  const { values: task, lineOf } = read;
  const problems: FileProblem[] = [];
  if (!TASK_WORDS.includes(task.status)) {
    const message = `status: expected one of ${TASK_WORDS.map((word) => JSON.stringify(word)).join(", ")}`;
    problems.push({ file, line: lineOf(["status"]), message });
  }
  const steps = stepsOf(task.backpressure);
  if (!Array.isArray(steps)) {
    problems.push({ file, line: lineOf(["backpressure"]), message: `backpressure: ${steps.error}` });
    return { ok: false, problems };
  }
  if (problems.length > 0) return { ok: false, problems };
  const dependsOn = (task.depends_on ?? []).map((on, at) => ({ id: String(on), line: lineOf(["depends_on", at]) }));
  return {
    ok: true,
    taskFile: {
      file,
      task,
      title: read.title ?? basename(file, ".md"),
      text: read.text,
      steps,
      checkLine: lineOf(["backpressure"]),
      version: read.version,
    },
    dependent: { id: String(task.task), file, line: lineOf(["task"]), dependsOn },
  };
}

const TASK_WORDS = ["pending", "in_progress", "complete", "failed"];
