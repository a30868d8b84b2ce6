import { ApiError, ReviewResult } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../../app-deps.ts";
import { loopOf, params, projectPath, tags } from "../common.ts";

/** List all reviews of a feature, in order. */
export const history: FastifyPluginAsyncZod<AppDeps> = async (app, deps) => {
  const response = z.object({ success: z.literal(true), featureId: z.string(), iterations: z.array(ReviewResult) });
  app.get(
    "/api/review-loop/:featureId/history",
    {
      schema: {
        summary: "List all reviews of a feature, in order",
        tags,
        params,
        querystring: z.object(projectPath),
        response: { 200: response, 409: ApiError },
      },
    },
    async (request) => {
      const {
        params: { featureId },
        query,
      } = request;
      const loop = await loopOf(deps, request, featureId, query.projectPath);
      return { success: true as const, featureId, iterations: loop.getReviewHistory(featureId) };
    },
  );
};
