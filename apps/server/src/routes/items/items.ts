import { currentLoop, loopStatus } from "@anneal/engine/project";
import { ApiItem, ApiItemChanges, ApiItemPage, ApiItemQuery, ApiLoop, ProjectId, SignalRequest } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";
import { voiceOf } from "../../auth/voice.ts";
import { RequestProblem } from "../../problem.ts";
import { itemNamed } from "../../projects/item-named.ts";
import { startItem } from "../../projects/item-start.ts";
import { tell } from "../../projects/tell.ts";

const project = ProjectId;
const item = z.string().min(1).max(300);
const tags = ["items"];

/** Work items and what people say to their loops. */
export const itemRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, { projects, clock }) => {
  app.get(
    "/api/projects/:project/items",
    {
      schema: {
        summary: "List work items of all kinds as cards, page by page",
        tags,
        params: z.object({ project }),
        querystring: ApiItemQuery,
        response: { 200: ApiItemPage },
      },
    },
    async (request, reply) => {
      const page = await projects.get(request.params.project).items.page(request.query);
      // The items were checked against the schema when they were made; doing it for every list would cost more than all the rest.
      return reply.type("application/json; charset=utf-8").send(page as unknown as ApiItemPage);
    },
  );

  app.get(
    "/api/projects/:project/item-changes",
    {
      schema: {
        summary: "List the work items that changed since a version of the list",
        tags,
        params: z.object({ project }),
        querystring: z.strictObject({ since: z.string().max(100) }),
        response: { 200: ApiItemChanges },
      },
    },
    async (request, reply) => {
      const changes = await projects.get(request.params.project).items.changes(request.query.since);
      return reply.type("application/json; charset=utf-8").send(changes as unknown as ApiItemChanges);
    },
  );

  app.get(
    "/api/projects/:project/items/:item",
    {
      schema: {
        summary: "Get one work item as a card",
        tags,
        params: z.object({ project, item }),
        response: { 200: ApiItem },
      },
    },
    async ({ params }) => itemNamed(projects.get(params.project), params.item),
  );

  app.post(
    "/api/projects/:project/items/:item/start",
    {
      schema: {
        summary: "Run an item",
        tags,
        params: z.object({ project, item }),
        response: { 202: z.object({ success: z.literal(true), item: z.string() }) },
      },
    },
    async (request, reply) => {
      const served = projects.get(request.params.project);
      const named = await itemNamed(served, request.params.item);
      await startItem(served, named);
      return reply.status(202).send({ success: true, item: named.id });
    },
  );

  app.post(
    "/api/projects/:project/items/:item/signal",
    {
      schema: {
        summary: "Send a signal to an item's loop",
        tags,
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
      const { id } = await itemNamed(served, request.params.item);
      if ((await tell(served, id, request.body, { voice: voiceOf(request), clock })) === "queued")
        return reply.status(202).send({ success: true, queued: true });
      const row = currentLoop(served.store, id);
      if (row === null) throw new RequestProblem("not-found", `${id} has no loop any more`);
      return { success: true as const, loop: loopStatus(row) };
    },
  );
};
