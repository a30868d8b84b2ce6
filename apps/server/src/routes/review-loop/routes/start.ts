import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../../app-deps.ts";
import { answer, answerFor, loopOf, params, projectPath, tags } from "../common.ts";

/** Start a feature's loop, or continue an interrupted one. It runs on after the answer. */
export const start: FastifyPluginAsyncZod<AppDeps> = async (app, deps) => {
  const body = z.strictObject(projectPath).nullish();
  app.post(
    "/api/review-loop/:featureId/start",
    {
      schema: {
        summary: "Start a feature's loop, or continue an interrupted one",
        tags,
        params,
        body,
        response: { 202: answer },
      },
    },
    async (request, reply) => {
      const {
        params: { featureId },
        body: asked,
      } = request;
      const loop = await loopOf(deps, request, featureId, asked?.projectPath);
      await loop.startLoop(featureId);
      return reply.status(202).send(answerFor(loop, featureId));
    },
  );
};
