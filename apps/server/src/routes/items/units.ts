import { existsSync } from "node:fs";
import { join } from "node:path";
import { columnOf } from "@anneal/core/board";
import { currentLoop, keyOf, loopStatus } from "@anneal/engine/project";
import { type PlannedUnit, planUnits, problemText, type UnitsPlan, unitsNamed } from "@anneal/engine/units";
import { type ApiUnit, ApiUnitDetail, ApiUnitPage, ProjectId } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";
import { RequestProblem } from "../../problem.ts";
import type { ServedProject } from "../../projects/served-project.ts";
import { page, pageOf } from "../page.ts";

const project = ProjectId;
const name = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "the name of a unit consists of letters, digits, dots and dashes");
const tags = ["units"];
const HOME = "specs/tasks";

/** Units of tasks, as their files and the log tell them. */
export const unitRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, { projects }) => {
  app.get(
    "/api/projects/:project/units",
    {
      schema: {
        summary: "List units, in the order in which they may start",
        tags,
        params: z.object({ project }),
        querystring: page,
        response: { 200: ApiUnitPage },
      },
    },
    async ({ params, query }) => {
      const served = projects.get(params.project);
      const { plan, damaged } = await allUnits(served.root);
      const { entries, ...rest } = pageOf([...plan.units, ...damaged], query, ({ id }) => id);
      const units = entries.map((one) => shortly("why" in one ? damagedUnit(served, one) : unitOf(served, one, plan)));
      const problems = plan.problems.map(({ file, line, message }) => ({ file, line, message }));
      return { ...rest, units, problems };
    },
  );

  app.get(
    "/api/projects/:project/units/:unit",
    {
      schema: {
        summary: "Get a unit with its tasks",
        tags,
        params: z.object({ project, unit: name }),
        response: { 200: ApiUnitDetail },
      },
    },
    async ({ params }) => {
      const served = projects.get(params.project);
      const { plan, damaged } = await allUnits(served.root);
      const unit = plan.units.find(({ id }) => id === params.unit);
      if (unit !== undefined) return unitOf(served, unit, plan);
      const broken = damaged.find(({ id }) => id === params.unit);
      if (broken !== undefined) return damagedUnit(served, broken);
      throw new RequestProblem("not-found", `there is no unit ${params.unit} in ${HOME}`);
    },
  );
};

interface Damaged {
  id: string;
  why: string;
}

async function allUnits(root: string): Promise<{ plan: UnitsPlan; damaged: Damaged[] }> {
  const ids = existsSync(join(root, HOME)) ? await unitsNamed({ cwd: root, here: root, root }, [join(root, HOME)]) : [];
  const plan = await planUnits(root, ids);
  const read = new Set(plan.units.map(({ id }) => id));
  const damaged = ids.flatMap((id): Damaged[] => {
    const problems = plan.problems.filter(({ file }) => file.startsWith(`${HOME}/${id}/`));
    return read.has(id) || problems.length === 0 ? [] : [{ id, why: problems.map(problemText).join("; ") }];
  });
  return { plan, damaged };
}

function unitOf(served: ServedProject, unit: PlannedUnit, plan: UnitsPlan): ApiUnitDetail {
  const { id, key, title, status, branch, wave, dependsOn, tasks } = unit;
  const row = currentLoop(served.store, key);
  const isComplete = (on: string) => plan.units.find((one) => one.id === on)?.status === "complete";
  return {
    id,
    key,
    title,
    status,
    column: row !== null && row.stage !== "ended" ? row.summary.status : columnOf("unit", status),
    branch,
    wave,
    dependsOn,
    blockedBy: dependsOn.filter((on) => !isComplete(on)),
    tasks,
    tasksComplete: tasks.filter((task) => task.status === "complete").length,
    damaged: null,
    loop: row === null ? null : loopStatus(row),
  };
}

function damagedUnit({ store }: ServedProject, { id, why }: Damaged): ApiUnitDetail {
  const key = keyOf({ kind: "unit", id });
  const row = currentLoop(store, key);
  return {
    id,
    key,
    title: row?.summary.title ?? id,
    status: null,
    column: row?.summary.status ?? "backlog",
    branch: row?.summary.branch ?? `unit/${id}`,
    wave: 0,
    dependsOn: [],
    blockedBy: [],
    tasks: [],
    tasksComplete: 0,
    damaged: why,
    loop: row === null ? null : loopStatus(row),
  };
}

function shortly({ tasks, ...unit }: ApiUnitDetail): ApiUnit {
  return { ...unit, tasks: tasks.length };
}
