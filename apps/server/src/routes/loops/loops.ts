import { loopView } from "@anneal/engine/evidence";
import { itemOf, loopStatus, workspaceOf } from "@anneal/engine/project";
import { ApiLoop, ApiLoopState, ProjectId } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";
import { itemNamed } from "../../projects/item-named.ts";
import { page, pageOf } from "../page.ts";
import { isUnchanged, LOOP, loopNamed, loopParams, unchanged } from "./loops-common.ts";

const tags = ["loops"];

/** Loops: those that an item had, and where one stands. */
export const loopRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, deps) => {
  app.get(
    "/api/projects/:project/items/:item/loops",
    {
      schema: {
        summary: "List all loops of an item, oldest first",
        tags,
        params: z.object({ project: ProjectId, item: z.string().min(1).max(300) }),
        querystring: page,
        response: { 200: z.object({ loops: z.array(ApiLoop), next: z.string().nullable() }) },
      },
    },
    async ({ params, query }) => {
      const served = deps.projects.get(params.project);
      const { id } = await itemNamed(served, params.item);
      const rows = served.store.loops({ item: itemOf(id) });
      const { entries, next } = pageOf(rows, query, ({ loop }) => loop);
      return { loops: entries.map(loopStatus), next };
    },
  );

  app.get(
    LOOP,
    {
      schema: {
        summary: "Get the state of a loop, what comes next, and the signals that it takes",
        tags,
        params: loopParams,
        response: { 200: ApiLoopState, ...unchanged },
      },
    },
    async (request, reply) => {
      const { served, history } = loopNamed(deps, request.params);
      const { loop, lastSeq } = history.row;
      const workspace = await workspaceOf(served.repo, history.started.item);
      // All but the time and the workspace follows from the log.
      if (isUnchanged(request, reply, `${loop} ${lastSeq} ${workspace}`)) return reply.status(304).send(null);
      return loopView(history, { now: deps.clock.now(), workspace });
    },
  );
};
