import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isOnPath } from "@anneal/adapters/checks";
import { loadSettings } from "@anneal/adapters/files";
import { type FileProblem, findUnits, readChoo, readUnits, type UnitFile } from "@anneal/adapters/units";
import { reviewerFromChoo, taskOrder } from "@anneal/core/units";
import { openRepo } from "@anneal/git";
import { UsageError } from "../../errors/errors.ts";
import { keyOf } from "../../history/item-key.ts";
import { nextToStart } from "../../loop/schedule.ts";
import { type CallerLocation, fromTop, refuseOthers } from "../../repository/linked-tree.ts";
import { testCommandNote, testCommandProblem } from "../../repository/test-command.ts";
import { branchConflicts } from "../../workspaces/branch-conflicts.ts";
import { isToBegin, unitBranch, unitFolder, wantedBranches } from "./files.ts";
import { missingPrograms } from "./missing-programs.ts";

/** What is known about units before anything runs. */
export interface UnitsPlan {
  /** In the order in which they may start. */
  units: PlannedUnit[];
  review: PlannedReview;
  baselineChecks: { name: string; command: string }[];
  /** Each with its file and line; with one of them nothing may start. */
  problems: FileProblem[];
  notes: string[];
}

export interface PlannedUnit {
  id: string;
  key: string;
  dir: string;
  title: string;
  status: string;
  branch: string;
  dependsOn: string[];
  /** Units of one wave do not wait for each other. */
  wave: number;
  tasks: { task: number; title: string; status: string; check: string; file: string }[];
}

export interface PlannedReview {
  enabled: boolean;
  provider: string;
  maxFixes: number;
  /** Why the reviewer cannot play; its review will be recorded as failed. */
  missing: string | null;
}

const HOME = "specs/tasks";

/** The units that folders or names stand for; the folder of all units stands for all. */
export async function unitsNamed(caller: CallerLocation, names: readonly string[]): Promise<string[]> {
  const { root } = caller;
  const ids = new Set<string>();
  for (const name of names) {
    const path = fromTop(caller, placeOf(caller, name)) ?? "";
    if (path === HOME) for (const id of await allUnits(root)) ids.add(id);
    else if (!new RegExp(`^${HOME}/[^/]+$`).test(path) || !existsSync(join(root, path))) {
      throw new UsageError(`${name} is not a unit: units are the folders of ${HOME} in ${root}`);
    } else ids.add(path.slice(HOME.length + 1));
  }
  return [...ids];
}

/** Refuses units of this work tree that are not the same in the project's own. */
export async function refuseOtherUnits(caller: CallerLocation, names: readonly string[]): Promise<void> {
  const places = names.map((name) => placeOf(caller, name));
  await refuseOthers(
    caller,
    places.filter((place) => `${fromTop(caller, place)}/`.startsWith(`${HOME}/`)),
  );
}

/** The folder that a name stands for in the work tree where it is said. */
function placeOf({ cwd, here }: CallerLocation, name: string): string {
  const isBare = !name.includes("/") && !existsSync(resolve(cwd, name));
  return isBare ? join(here, HOME, name) : resolve(cwd, name);
}

/** Every unit, also those that cannot be read. */
async function allUnits(root: string): Promise<string[]> {
  const { units, problems } = await findUnits(root);
  const files = [...units, ...problems].map(({ file }) => basename(dirname(file)));
  return [...new Set(files)].sort();
}

/** Reads units and the settings of their review, and says what would happen. Nothing is changed. */
export async function planUnits(root: string, ids: readonly string[]): Promise<UnitsPlan> {
  const all = await findUnits(root);
  const alsoKnown = new Set(all.units.map(({ unit }) => unit.plan.unit));
  const read = await readUnits(ids.map(unitFolder), { root, alsoKnown });
  const choo = await readChoo(root);
  const begins = read.units.some(({ unit }) => isToBegin(unit.plan.orch_status));
  const tested = { kind: "unit", root, loaded: await loadSettings(root) } as const;
  const untested = begins ? await testCommandProblem(tested) : null;
  const note = begins ? await testCommandNote(tested) : null;
  const problems = [
    ...read.problems,
    ...(choo.ok ? [] : choo.problems),
    ...unfinished(read.units, all.units),
    ...(await branchConflicts(await openRepo(root), wantedBranches(read.units))),
    ...(untested === null ? [] : [untested]),
    ...(await missingPrograms(root, read.units, choo)),
  ];
  const config = choo.ok ? choo.codeReview : null;
  return {
    units: inOrder(read.units.map(planned)),
    review: {
      enabled: config?.enabled ?? false,
      provider: config?.provider ?? "",
      maxFixes: config?.max_fix_iterations ?? 0,
      missing: config === null ? null : missing(config),
    },
    baselineChecks: choo.ok ? choo.baselineChecks.map(({ name, command }) => ({ name, command })) : [],
    problems,
    notes: [...(choo.ok ? choo.notes : []), ...(note === null ? [] : [note])],
  };
}

/** A unit that nobody runs and that is not complete would be waited for in vain. */
function unfinished(named: readonly UnitFile[], all: readonly UnitFile[]): FileProblem[] {
  const running = new Set(named.map(({ unit }) => unit.plan.unit));
  const done = new Set(
    all.filter(({ unit }) => unit.plan.orch_status === "complete").map(({ unit }) => unit.plan.unit),
  );
  const known = new Set(all.map(({ unit }) => unit.plan.unit));
  return named.flatMap(({ file, unit, lines }) =>
    (unit.plan.depends_on ?? []).flatMap((on, at): FileProblem[] => {
      if (running.has(on) || done.has(on) || !known.has(on)) return [];
      const message = `depends_on: ${on} is not complete: run it first, or together with ${unit.plan.unit}`;
      return [{ file, line: lines.dependsOn[at] ?? 1, message }];
    }),
  );
}

function planned({ dir, title, unit: { plan }, tasks }: UnitFile): PlannedUnit {
  const order = taskOrder(tasks.map(({ task }) => task));
  const files = order.flatMap(({ task }) => tasks.find((one) => one.task.task === task) ?? []);
  return {
    id: plan.unit,
    key: keyOf({ kind: "unit", id: plan.unit }),
    dir,
    title,
    status: plan.orch_status ?? "pending",
    branch: unitBranch(plan.unit),
    dependsOn: plan.depends_on ?? [],
    wave: 0,
    tasks: files.map(({ task, title: name, file }) => {
      return { task: task.task, title: name, status: task.status, check: task.backpressure, file };
    }),
  };
}

/** As the scheduler would start them, if every unit of a wave were done before the next. */
function inOrder(units: readonly PlannedUnit[]): PlannedUnit[] {
  const named = new Set(units.map(({ id }) => id));
  const done = new Set<string>();
  const ordered: PlannedUnit[] = [];
  for (let wave = 1; ordered.length < units.length; wave += 1) {
    const items = units.map(({ id, dependsOn }) => {
      const within = dependsOn.filter((on) => named.has(on));
      return { id, dependsOn: within, priority: 0, state: done.has(id) ? ("done" as const) : ("waiting" as const) };
    });
    const { start } = nextToStart(items, units.length);
    // What waits in a circle is a problem of its own.
    const next = start.length > 0 ? start : units.map(({ id }) => id).filter((id) => !done.has(id));
    for (const id of next) done.add(id);
    ordered.push(...next.flatMap((id) => units.filter((unit) => unit.id === id).map((unit) => ({ ...unit, wave }))));
  }
  return ordered;
}

/** Why the reviewer that `.choo.yaml` names cannot be started, as far as its name tells. */
function missing(config: Parameters<typeof reviewerFromChoo>[0]): string | null {
  const reviewer = reviewerFromChoo(config);
  if (reviewer === null) return null;
  const program = reviewer.command ?? reviewer.provider;
  return isOnPath(program) ? null : `there is no program ${program} on the PATH`;
}
