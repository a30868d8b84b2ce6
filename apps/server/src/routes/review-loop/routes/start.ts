import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../../app.ts";
import { startItem } from "../../../projects/item-start.ts";
import { itemNamed } from "../../item-named.ts";
import { answer, answerFor, params, projectOf, projectPath, tags } from "../common.ts";

/** Asks for a feature's loop; one that was interrupted goes on. It runs on after the answer. */
export const start: FastifyPluginAsyncZod<AppDeps> = async (app, deps) => {
  const body = z.strictObject(projectPath).nullish();
  app.post(
    "/api/review-loop/:featureId/start",
    {
      schema: {
        summary: "Asks for a feature's loop; one that was interrupted goes on",
        tags,
        params,
        body,
        response: { 202: answer },
      },
    },
    async ({ params: { featureId }, body: asked }, reply) => {
      const project = await projectOf(deps, featureId, asked?.projectPath);
      await startItem(project, await itemNamed(project, featureId));
      return reply.status(202).send(answerFor(project, featureId));
    },
  );
};
