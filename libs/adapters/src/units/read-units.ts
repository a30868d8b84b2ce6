import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { dependencyProblems } from "../stories/dependencies.ts";
import type { FileProblem } from "../stories/front-matter/problem.ts";
import { PLAN_FILE, readUnit, type UnitFile } from "./read-unit.ts";

export interface Units {
  /** Those that could be read, in the order of asking. */
  units: UnitFile[];
  /** With one of these, nothing may start. */
  problems: FileProblem[];
}

export interface ReadUnitsOptions {
  root?: string;
  /** Names of units that exist besides these, so that depending on them is no mistake. */
  alsoKnown?: ReadonlySet<string>;
}

/** Reads units that belong together, and checks what they say about each other. */
export async function readUnits(dirs: readonly string[], options: ReadUnitsOptions = {}): Promise<Units> {
  const reads = await Promise.all([...new Set(dirs)].map((dir) => readUnit(dir, options.root)));
  const units = reads.flatMap((read) => (read.ok ? [withoutOk(read)] : []));
  const unread = reads.flatMap((read) => (read.ok ? [] : read.problems));
  const dependents = units.map(({ file, unit, lines }) => ({
    id: unit.plan.unit,
    file,
    line: lines.unit,
    dependsOn: (unit.plan.depends_on ?? []).map((id, at) => ({ id, line: lines.dependsOn[at] ?? 1 })),
  }));
  const { alsoKnown } = options;
  const words = { noun: "unit", plural: "units", keyOf: alike, ...(alsoKnown === undefined ? {} : { alsoKnown }) };
  return { units, problems: [...unread, ...dependencyProblems(dependents, words)] };
}

/** The folder of the units of a repository. */
const UNITS_FOLDER = "specs/tasks";

/** Every unit of a repository; a folder without a plan is not a unit. */
export async function findUnits(root: string): Promise<Units> {
  const entries = await readdir(join(root, UNITS_FOLDER), { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${UNITS_FOLDER}/${name}`);
  const withPlan = await Promise.all(folders.map((folder) => hasPlan(join(root, folder))));
  return readUnits(folders.filter((_, at) => withPlan[at]).sort(), { root });
}

async function hasPlan(folder: string): Promise<boolean> {
  return (await readdir(folder).catch((): string[] => [])).includes(PLAN_FILE);
}

/** Some file systems take capitals and small letters for the same name. */
function alike(name: string): string {
  return name.toLowerCase();
}

function withoutOk({ ok: _, ...unit }: UnitFile & { ok: true }): UnitFile {
  return unit;
}
