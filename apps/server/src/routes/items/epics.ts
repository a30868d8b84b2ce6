import { columnOf } from "@anneal/core/board";
import { UsageError } from "@anneal/engine";
import { type EpicPlan, findEpics, planEpic, problemText } from "@anneal/engine/epics";
import { currentLoop, keyOf, type LoopStatus, loopStatus } from "@anneal/engine/project";
import { type ApiEpic, ApiEpicDetail, ApiEpicPage, ApiError, type ApiTicket, ProjectId } from "@anneal/types";
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
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "the name of an epic consists of letters, digits, dots and dashes");
const tags = ["epics"];

/** Epics and their tickets, as their files and the log tell them. */
export const epicRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, { projects }) => {
  app.get(
    "/api/projects/:project/epics",
    {
      schema: {
        summary: "List epics",
        tags,
        params: z.object({ project }),
        querystring: page,
        response: { 200: ApiEpicPage },
      },
    },
    async ({ params, query }) => {
      const served = projects.get(params.project);
      const found = (await findEpics(served.root)).map((one) => ({ ...one, id: one.epic?.id ?? nameIn(one.file) }));
      const { entries, ...rest } = pageOf(found, query, ({ id }) => id);
      return {
        ...rest,
        epics: entries.map(({ id, file, epic, counts, state, problems }): ApiEpic => {
          const { tickets = 0, completed = 0, waves = 0 } = counts ?? {};
          const key = keyOf({ kind: "epic", id });
          const status = state?.status ?? null;
          const common = { id, key, title: epic?.title ?? id, file, status, tickets, completed, waves };
          return { ...common, problems, loop: loopOf(served, key) };
        }),
      };
    },
  );

  app.get(
    "/api/projects/:project/epics/:epic",
    {
      schema: {
        summary: "Get an epic with its tickets, their waves and what blocks them",
        tags,
        params: z.object({ project, epic: name }),
        response: { 200: ApiEpicDetail, 409: ApiError },
      },
    },
    async ({ params }) => {
      const served = projects.get(params.project);
      const { root, repo, store } = served;
      const planned = await planEpic({ root, repo, store }, params.epic, {
        caller: { cwd: root, here: root, root },
      }).catch((error: unknown) => {
        throw error instanceof UsageError ? new RequestProblem("not-found", error.message) : error;
      });
      if (planned.ok) return detailOf(served, planned.plan);
      const why = planned.problems.map(problemText).join("; ");
      throw new RequestProblem("conflict", `epic ${params.epic} cannot be read; fix its files: ${why}`);
    },
  );
};

function detailOf(served: ServedProject, plan: EpicPlan): ApiEpicDetail {
  const { id, key, title, file, status, branch, baseline, unmerged, notes } = plan;
  const completed = new Set(plan.tickets.filter((ticket) => ticket.status === "completed").map((ticket) => ticket.id));
  const tickets = plan.tickets.map(({ report: _, phase: __, buildsOn: ___, ...ticket }): ApiTicket => {
    const blockedBy = ticket.dependsOn.filter((on) => !completed.has(on));
    return { ...ticket, column: columnOf("ticket", ticket.status), blockedBy, loop: loopOf(served, ticket.key) };
  });
  const waves: string[][] = [];
  for (const { wave, id: ticket } of tickets) waves[wave - 1] = [...(waves[wave - 1] ?? []), ticket];
  const common = { id, key, title, file, status, branch, baseline, unmerged, notes };
  return { ...common, waves, tickets, loop: loopOf(served, key) };
}

function loopOf({ store }: ServedProject, key: string): LoopStatus | null {
  const row = currentLoop(store, key);
  return row === null ? null : loopStatus(row);
}

/** Of an epic that cannot be read, its file tells the name. */
function nameIn(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1).replace(/\.epic\.ya?ml$/, "");
}
