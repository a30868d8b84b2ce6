import { basename, dirname, relative } from "node:path";
import {
  type Choo,
  type FileProblem,
  findUnits,
  problemText,
  readChoo,
  readUnit,
  type UnitFile,
  writePlan,
  writeTaskStatus,
} from "@anneal/adapters/units";
import { taskOrder, taskStatus, unitStatus } from "@anneal/core/units";
import { failpoint } from "@anneal/system/failpoint";
import type { LoopState } from "@anneal/types";
import { UsageError } from "../../errors/errors.ts";
import { folderOf, keyOf } from "../../history/item-key.ts";
import type { About, ScheduledItem } from "../../items/kind.ts";
import type { ProjectParts } from "../../items/prepare.ts";
import type { WantedBranch } from "../../workspaces/branch-conflicts.ts";

const PRIORITY = 2;

/** The folder of a unit, from the project's top. */
export function unitFolder(id: string): string {
  return `specs/tasks/${id}`;
}

export function unitBranch(id: string): string {
  return `unit/${id}`;
}

/** The branches of units that are not complete. */
export function wantedBranches(units: readonly UnitFile[]): WantedBranch[] {
  return units
    .filter(({ unit: { plan } }) => plan.orch_status !== "complete")
    .map(({ file, lines, unit: { plan } }) => ({ branch: unitBranch(plan.unit), file, line: lines.unit }));
}

/** A unit would be merged into itself, and nothing would take it in. */
export function refuseOwnTarget(ids: readonly string[], into: string): void {
  const own = ids.find((id) => unitBranch(id).toLowerCase() === into.toLowerCase());
  if (own === undefined) return;
  throw new UsageError(`unit ${own} is built on ${into} itself: name the branch to merge into with --into`);
}

/** Every unit of a project as the scheduler sees it. */
export async function unitEntries(root: string): Promise<ScheduledItem[]> {
  const { units, problems } = await findUnits(root);
  const read = units.map(({ unit: { plan } }): ScheduledItem => {
    const dependsOn = (plan.depends_on ?? []).map((id) => keyOf({ kind: "unit", id }));
    return { id: plan.unit, dependsOn, priority: PRIORITY, readiness: readinessOf(plan.orch_status) };
  });
  const known = new Set(read.map(({ id }) => id));
  const damaged = new Map<string, string>();
  for (const problem of problems) {
    const id = basename(dirname(problem.file));
    if (!known.has(id) && !damaged.has(id)) damaged.set(id, problemText(problem));
  }
  return [
    ...read,
    ...[...damaged].map(([id, damage]): ScheduledItem => {
      return { id, dependsOn: [], priority: PRIORITY, readiness: "damaged", damage };
    }),
  ];
}

function readinessOf(status: string | undefined): ScheduledItem["readiness"] {
  if (status === "complete") return "done";
  return isToBegin(status) ? "backlog" : "elsewhere";
}

/** Whether a run begins a loop for a unit of this `orch_status`, as far as its file tells. */
export function isToBegin(status: string | undefined): boolean {
  return status === undefined || status === "pending";
}

/** The tasks of a new loop in their order. What a file calls complete before any loop was somebody else's work, and is done. */
export function openTasks({ tasks }: Pick<UnitFile, "tasks">, earlierLoops: number): string[] {
  const order = taskOrder(tasks.map(({ task }) => task));
  const open = earlierLoops > 0 ? order : order.filter(({ status }) => status !== "complete");
  return open.map(({ task }) => String(task));
}

/** The message about a unit without any. */
export function allComplete(id: string): string {
  const ways = "write orch_status: complete into its plan, or status: pending into the tasks to redo";
  return `every task of unit ${id} is complete: ${ways}`;
}

export async function readableUnit(root: string, id: string): Promise<UnitFile> {
  const read = await readUnit(unitFolder(id), root);
  if (!read.ok) throw unreadable(`unit ${id} cannot be read`, read.problems);
  if (read.unit.plan.unit !== id) throw new UsageError(`there is no unit ${id} in specs/tasks`);
  return read;
}

export async function readableChoo(root: string): Promise<Choo> {
  const read = await readChoo(root);
  if (!read.ok) throw unreadable("nothing starts under these settings", read.problems);
  return read;
}

function unreadable(what: string, problems: readonly FileProblem[]): UsageError {
  return new UsageError(`${what}: ${problems.map(problemText).join("; ")}`);
}

/** Writes what the log says about a unit into its plan and its tasks; all else in them stays as it is. */
export async function projectUnit(
  { repo: { root }, workspaces }: Pick<ProjectParts, "repo" | "workspaces">,
  { id }: About,
  state: LoopState,
  since: LoopState | null,
): Promise<void> {
  const unit = await readableUnit(root, id);
  for (const { file, task } of unit.tasks) {
    const status = taskStatus(state, task.task);
    if (since !== null && taskStatus(since, task.task) === status) continue;
    failpoint("unit.task.before");
    await writeTaskStatus(root, file, status);
    failpoint("unit.task.after");
  }
  const status = unitStatus(state);
  if (since !== null && unitStatus(since) === status) return;
  failpoint("unit.plan.before");
  await writePlan(root, unit.dir, {
    orch_status: status,
    orch_branch: unitBranch(id),
    orch_worktree: relative(root, workspaces.pathOf(folderOf({ kind: "unit", id }))),
    orch_started_at: new Date(state.startedAt).toISOString(),
    orch_completed_at: status === "complete" ? new Date(state.lastAt).toISOString() : null,
  });
  failpoint("unit.plan.after");
}
