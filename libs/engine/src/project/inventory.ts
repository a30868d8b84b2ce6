import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { type FoundEpic, findEpics } from "@anneal/adapters/epics";
import { featureStore } from "@anneal/adapters/features";
import { loadSettings } from "@anneal/adapters/files";
import { findStories } from "@anneal/adapters/stories";
import { findUnits, readChoo } from "@anneal/adapters/units";
import { epicBranch, ticketBranch } from "@anneal/core/epics";
import { isStoryDone } from "@anneal/core/stories";
import { openRepo } from "@anneal/git";
import { systemClock } from "@anneal/system/clock";
import type { ItemRef } from "@anneal/types";
import { UsageError } from "../errors/errors.ts";
import { keyOf } from "../history/item-key.ts";
import { currentLoop } from "../history/loop-history.ts";
import { openReader } from "../history/reader.ts";
import { featureBranch, featureScheduling } from "../kinds/feature/features.ts";
import { branchProblems } from "../kinds/story/own-branch.ts";
import { isRunnable } from "../kinds/ticket/epic-index.ts";
import { type EpicPlan, NoSuchEpic, type PlannedEpic, planEpic } from "../kinds/ticket/plan.ts";
import { wantedBranches } from "../kinds/unit/files.ts";
import { missingPrograms } from "../kinds/unit/missing-programs.ts";
import { unitRefusals } from "../kinds/unit/refused.ts";
import { type CallerLocation, differenceAt } from "../repository/linked-tree.ts";
import { testCommandNote, testCommandProblem } from "../repository/test-command.ts";
import { branchConflicts, type WantedBranch } from "../workspaces/branch-conflicts.ts";

export interface InventoryProblem {
  /** From the top of the repository. */
  file: string;
  /** Counted from one. */
  line: number;
  message: string;
}

/** One work item, and what was understood of it. */
export interface FoundItem {
  id: string;
  key: string;
  title: string;
  file: string;
  status: string | null;
  dependsOn: string[];
  /** What it holds, such as tickets, criteria or tasks. */
  counts: Record<string, number>;
}

/** The items of one kind. */
export interface ItemGroup {
  kind: ItemRef["kind"];
  items: FoundItem[];
  problems: InventoryProblem[];
  notes: string[];
}

export interface Inventory {
  root: string;
  /** Epics, stories, units, features. */
  groups: ItemGroup[];
}

/** Every work item that a work tree and its project hold. It only reads. */
export async function inventoryOf({ here, root }: Pick<CallerLocation, "here" | "root">): Promise<Inventory> {
  const groups = [await epics({ here, root }), await stories({ here, root }), await units({ here, root })];
  for (const group of groups) group.problems.push(...(await othersIn(group, { here, root })));
  const all = [...groups, await features(root)];
  for (const group of all) await tellUntested(group, root);
  return { root: here, groups: all };
}

/** A test command under which none of the items may begin; a loop that is under way keeps its own. */
async function tellUntested({ kind, items, problems, notes }: ItemGroup, root: string): Promise<void> {
  using project = await openReader(root, systemClock);
  const { store } = project;
  const begins = items.some(({ key, status }) => {
    const stage = store === null ? undefined : currentLoop(store, key)?.stage;
    return (stage === undefined || stage === "ended") && isOpen(kind, status);
  });
  if (!begins) return;
  const of = { kind, root, loaded: await loadSettings(root) };
  const problem = await testCommandProblem(of);
  const note = await testCommandNote(of);
  if (problem !== null) problems.push(problem);
  if (note !== null) notes.push(note);
}

/** Whether something is left to do of an item, as far as its status tells. */
export function isOpen(kind: ItemRef["kind"], status: string | null): boolean {
  switch (kind) {
    case "story":
      return !isStoryDone(status ?? undefined);
    case "unit":
      return status !== "complete";
    case "feature":
      return featureScheduling(status ?? undefined) !== "done";
    default:
      return status !== "completed";
  }
}

/** Items of this work tree that are not the same in the project, so that they cannot be run. */
async function othersIn(
  { kind, items }: ItemGroup,
  trees: Pick<CallerLocation, "here" | "root">,
): Promise<InventoryProblem[]> {
  const problems: InventoryProblem[] = [];
  for (const { file } of items) {
    const difference = await differenceAt(trees, kind === "story" ? file : dirname(file));
    if (difference !== null) problems.push({ file: difference.path, line: 1, message: difference.message });
  }
  return problems;
}

async function epics({ here, root }: Pick<CallerLocation, "here" | "root">): Promise<ItemGroup> {
  const found = await findEpics(here);
  using project = await openReader(root, systemClock);
  const plans = new Map<string, PlannedEpic>();
  for (const { file } of found.filter(isRunnable)) {
    const caller = { cwd: root, here: root, root };
    // One that is only in this work tree is reported as such.
    const planned = await planEpic(project, file, { caller }).catch(problemOf(file));
    if (planned !== null) plans.set(file, planned);
  }
  const items = found.flatMap(({ file, epic, counts, state }): FoundItem[] => {
    if (epic === null || counts === null) return [];
    const { id, title } = epic;
    const planned = plans.get(file);
    const known = planned?.ok === true && planned.plan.status !== "pending" ? planned.plan.status : null;
    const status = known ?? state?.status ?? null;
    return [{ ...named("epic", id), title, file, status, dependsOn: [], counts: { ...counts } }];
  });
  const notes = found.flatMap((one) => one.notes);
  const problems = found.flatMap((one) => one.problems);
  for (const [file, planned] of plans)
    problems.push(...(planned.ok ? refusedIn(file, planned.plan) : planned.problems));
  const conflicts = await branchConflicts(await openRepo(here), found.flatMap(ofEpic));
  return { kind: "epic", items, problems: [...problems, ...conflicts], notes };
}

function refusedIn(file: string, { refused }: EpicPlan): InventoryProblem[] {
  return refused.map((message) => ({ file, line: 1, message }));
}

function problemOf(file: string): (error: unknown) => PlannedEpic | null {
  return (error) => {
    if (!(error instanceof UsageError)) throw error;
    return error instanceof NoSuchEpic ? null : { ok: false, problems: [{ file, line: 1, message: error.message }] };
  };
}

/** What is still to be built of an epic, as far as its files tell. */
function ofEpic({ file, epic, state }: FoundEpic): WantedBranch[] {
  const open = epic?.tickets.filter(({ id }) => state?.tickets[id]?.status !== "completed") ?? [];
  if (epic === null || open.length === 0) return [];
  const branches = [epicBranch(epic.id), ...open.map(({ id }) => ticketBranch(id))];
  return branches.map((branch) => ({ branch, file, line: 1 }));
}

async function stories({ here, root }: Pick<CallerLocation, "here" | "root">): Promise<ItemGroup> {
  const { stories: found, problems } = await findStories(here);
  using project = await openReader(root, systemClock);
  const taken = await branchProblems(project, found);
  const items = found.map(({ file, story }): FoundItem => {
    const { id, title, status = null, dependsOn, acceptanceCriteria, tasks } = story;
    const done = tasks.filter((task) => task.done).length;
    const counts = { criteria: acceptanceCriteria.length, tasks: tasks.length, done };
    return { ...named("story", id), title, file, status, dependsOn: [...dependsOn], counts };
  });
  return { kind: "story", items, problems: [...problems, ...taken], notes: [] };
}

async function units({ here, root }: Pick<CallerLocation, "here" | "root">): Promise<ItemGroup> {
  const { units: found, problems } = await findUnits(here);
  const items = found.map(({ file, title, unit: { plan }, tasks }): FoundItem => {
    const complete = tasks.filter(({ task }) => task.status === "complete").length;
    const status = plan.orch_status ?? null;
    const counts = { tasks: tasks.length, complete };
    return { ...named("unit", plan.unit), title, file, status, dependsOn: plan.depends_on ?? [], counts };
  });
  const choo = found.length + problems.length === 0 ? null : await readChoo(here);
  const wrong = choo === null || choo.ok ? [] : choo.problems;
  const repo = await openRepo(here);
  const conflicts = await branchConflicts(repo, wantedBranches(found));
  const missing = choo === null ? [] : await missingPrograms(here, found, choo);
  using project = await openReader(root, systemClock);
  const into = await repo.branchName();
  const refused = into === null ? [] : await unitRefusals(project, { into, units: found });
  return {
    kind: "unit",
    items,
    problems: [...problems, ...wrong, ...conflicts, ...missing, ...refused],
    notes: choo?.ok === true ? choo.notes : [],
  };
}

async function features(root: string): Promise<ItemGroup> {
  const entries = await featureStore(root).list();
  const items = entries.flatMap((entry): FoundItem[] => {
    if (!("feature" in entry)) return [];
    const { id, title, description, status = "backlog", dependencies = [], review } = entry.feature;
    const counts = review === undefined ? {} : { reviews: review.currentIteration };
    const shown = title ?? description.split("\n")[0] ?? "";
    return [{ ...named("feature", id), title: shown, file: fileOf(id), status, dependsOn: dependencies, counts }];
  });
  const problems = entries.flatMap((entry) => ("damaged" in entry ? [damaged(root, entry)] : []));
  const wanted: WantedBranch[] = [];
  for (const entry of entries) {
    if (!("feature" in entry) || featureScheduling(entry.feature.status) === "done") continue;
    const file = fileOf(entry.id);
    wanted.push({ branch: featureBranch(entry.feature), file, line: await branchLine(join(root, file)) });
  }
  return {
    kind: "feature",
    items,
    problems: [...problems, ...(await branchConflicts(await openRepo(root), wanted))],
    notes: [],
  };
}

/** Where a feature names its branch; the first line where it does not. */
async function branchLine(path: string): Promise<number> {
  const text = await readFile(path, "utf8");
  return text.slice(0, Math.max(0, text.indexOf('"branchName"'))).split("\n").length;
}

function named(kind: ItemRef["kind"], id: string): { id: string; key: string } {
  return { id, key: keyOf({ kind, id }) };
}

function fileOf(id: string): string {
  return `.automaker/features/${id}/feature.json`;
}

/** The error begins with its path, and often with line and column. */
function damaged(root: string, { id, damaged: error }: { id: string; damaged: string }): InventoryProblem {
  const [, path = "", line = "1", message = error] = /^(\/.*?\.json)(?::(\d+):\d+)?:? (.*)$/s.exec(error) ?? [];
  return { file: path === "" ? fileOf(id) : relative(root, path), line: Number(line), message };
}
