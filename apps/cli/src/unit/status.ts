import { parseArgs } from "node:util";
import { systemClock } from "@anneal/engine";
import {
  callerLocation,
  isOwned,
  keyOf,
  openReader,
  type ProjectReader,
  type StatusLine,
  statusOf,
} from "@anneal/engine/project";
import { planUnits, problemText, type UnitsPlan, unitsNamed } from "@anneal/engine/units";
import { statusText } from "../project/lines.ts";
import { counted, json } from "../project/output.ts";
import { harmlessLine, painter } from "../style.ts";

const EMPTY = "No units here: a unit is a folder in specs/tasks with an IMPLEMENTATION_PLAN.md.\n";

/** `anneal unit status`. It only reads. */
export async function showUnits(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: "boolean", default: false } },
  });
  using project = await openReader(process.cwd(), systemClock);
  const named = positionals.length === 0 ? [`${project.root}/specs/tasks`] : positionals;
  const ids = await unitsNamed(await callerLocation(process.cwd()), named);
  const plan = await planUnits(project.root, ids);
  const lines = linesOf(plan, ids, await statusOf(project));
  for (const note of plan.notes) process.stderr.write(`anneal unit: ${harmlessLine(note)}\n`);
  if (values.json) process.stdout.write(json(asData(plan, lines)));
  else process.stdout.write(lines.length === 0 ? EMPTY : text(lines, project));
  return 0;
}

/** A unit as its files and its loop tell it. */
function linesOf(plan: UnitsPlan, ids: readonly string[], known: readonly StatusLine[]): StatusLine[] {
  const planned = plan.units.map((unit): StatusLine => {
    const { key, title, status, dependsOn, tasks } = unit;
    const done = tasks.filter((task) => task.status === "complete").length;
    const loop = known.find(({ id }) => id === key)?.loop ?? null;
    const shown = `${title} (${done} of ${counted(tasks.length, "task")})`;
    const open = dependsOn.filter((on) => plan.units.find(({ id }) => id === on)?.status !== "complete");
    return { id: key, kind: "unit", title: shown, status, damaged: null, dependsOn: open, loop };
  });
  const read = new Set(plan.units.map(({ id }) => id));
  const damaged = ids.flatMap((id): StatusLine[] => {
    const problems = plan.problems.filter(({ file }) => file.startsWith(`specs/tasks/${id}/`));
    if (read.has(id) || problems.length === 0) return [];
    const why = problems.map(problemText).join("; ");
    return [
      {
        id: keyOf({ kind: "unit", id }),
        kind: "unit",
        title: "",
        status: null,
        damaged: why,
        dependsOn: [],
        loop: null,
      },
    ];
  });
  return [...planned, ...damaged];
}

function asData(plan: UnitsPlan, lines: readonly StatusLine[]): object[] {
  return lines.map((line) => {
    const unit = plan.units.find(({ key }) => key === line.id);
    if (unit === undefined) return line;
    return { ...line, title: unit.title, dependsOn: unit.dependsOn, branch: unit.branch, tasks: unit.tasks };
  });
}

function text(lines: readonly StatusLine[], { repo }: ProjectReader): string {
  const { stdout } = process;
  return statusText(lines, {
    paint: painter(stdout),
    columns: stdout.columns || 160,
    now: systemClock.now(),
    running: isOwned(repo),
    ids: "whole",
  });
}
