import { ApiError } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../../app-deps.ts";
import { answer, answerFor, loopOf, params, projectPath, tags } from "../common.ts";

export const status: FastifyPluginAsyncZod<AppDeps> = async (app, deps) => {
  app.get(
    "/api/review-loop/:featureId/status",
    {
      schema: {
        summary: "Get the state of a feature's session",
        tags,
        params,
        querystring: z.object(projectPath),
        response: { 200: answer, 409: ApiError },
      },
    },
    async (request) => {
      const { featureId } = request.params;
      return answerFor(await loopOf(deps, request, featureId, request.query.projectPath), featureId);
    },
  );
};
