import { UsageError } from "@anneal/engine";
import { currentLoop, itemNamed, loopStatus, statusOf } from "@anneal/engine/project";
import { ApiItem, ApiLoop, ProjectId, SignalRequest } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../app.ts";
import { Problem } from "../problem.ts";
import type { ServedProject } from "../projects/served-project.ts";
import { tell } from "../projects/tell.ts";

const project = ProjectId;
const item = z.string().min(1).max(200);
const page = z.object({
  /** The last id of the page before. */
  after: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(200),
});

/** Work items and what people say to their loops. */
export const itemRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, { projects, clock }) => {
  app.get(
    "/api/projects/:project/items",
    {
      schema: {
        params: z.object({ project }),
        querystring: page,
        response: { 200: z.object({ items: z.array(ApiItem), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { after, limit } = request.query;
      const all = await statusOf(projects.get(request.params.project));
      const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
      const items = all.slice(from, from + limit);
      return { items, next: from + limit < all.length ? (items.at(-1)?.id ?? null) : null };
    },
  );

  app.post(
    "/api/projects/:project/items/:item/start",
    {
      schema: {
        params: z.object({ project, item }),
        response: { 202: z.object({ success: z.literal(true), item: z.string() }) },
      },
    },
    async (request, reply) => {
      const served = projects.get(request.params.project);
      const { id } = await named(served, request.params.item);
      served.start(id, "web");
      return reply.status(202).send({ success: true, item: id });
    },
  );

  app.post(
    "/api/projects/:project/items/:item/signal",
    {
      schema: {
        params: z.object({ project, item }),
        body: SignalRequest,
        response: {
          200: z.object({ success: z.literal(true), loop: ApiLoop }),
          202: z.object({ success: z.literal(true), queued: z.literal(true) }),
        },
      },
    },
    async (request, reply) => {
      const served = projects.get(request.params.project);
      const { id } = await named(served, request.params.item);
      if ((await tell(served, id, request.body, clock)) === "queued")
        return reply.status(202).send({ success: true, queued: true });
      const row = currentLoop(served.store, id);
      if (row === null) throw new Problem("not-found", `${id} has no loop any more`);
      return { success: true as const, loop: loopStatus(row) };
    },
  );
};

async function named(project: ServedProject, name: string): Promise<{ id: string }> {
  const { features, store, root } = project;
  return await itemNamed({ features, store, root, dir: root }, name).catch((error: unknown) => {
    if (error instanceof UsageError) throw new Problem("not-found", error.message);
    throw error;
  });
}
