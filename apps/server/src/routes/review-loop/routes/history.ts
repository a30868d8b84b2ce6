import { ReviewResult } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../../app.ts";
import { answerFor, params, projectOf, projectPath, tags } from "../common.ts";

/** All reviews of a feature's loop, in order. */
export const history: FastifyPluginAsyncZod<AppDeps> = async (app, deps) => {
  const response = z.object({ success: z.literal(true), featureId: z.string(), iterations: z.array(ReviewResult) });
  app.get(
    "/api/review-loop/:featureId/history",
    {
      schema: {
        summary: "All reviews of a feature's loop, in order",
        tags,
        params,
        querystring: z.object(projectPath),
        response: { 200: response },
      },
    },
    async ({ params: { featureId }, query }) => {
      const { session } = answerFor(await projectOf(deps, featureId, query.projectPath), featureId);
      return { success: true as const, featureId, iterations: session?.iterations ?? [] };
    },
  );
};
