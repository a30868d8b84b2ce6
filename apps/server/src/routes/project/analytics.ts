import { analyticsOf, rebuildAnalytics } from "@anneal/engine/analytics";
import { AnalyticsDate, ApiAnalytics, ProjectId } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";
import { onFiles } from "../../file-problem.ts";

const tags = ["analytics"];
const params = z.object({ project: ProjectId });
const AT = "/api/projects/:project/analytics";

const range = z
  .object({
    from: AnalyticsDate.optional().describe("The first day in UTC, such as 2026-01-31; default: from the beginning."),
    to: AnalyticsDate.optional().describe("The last day; default: today."),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ["to"],
    message: "the last day cannot be before the first",
  });

/** How the loops of a project do. */
export const analyticsRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, { projects }) => {
  app.get(
    AT,
    {
      schema: {
        summary:
          "Get iterations, first passes, findings by category and day, time saved and cost, over a range of days",
        tags,
        params,
        querystring: range,
        response: { 200: ApiAnalytics },
      },
    },
    async ({ params: { project }, query }) => await analyticsOf(projects.get(project), query),
  );

  app.post(
    `${AT}/rebuild`,
    { schema: { summary: "Recount the whole log", tags, params, response: { 200: ApiAnalytics } } },
    async ({ params: { project } }) => await onFiles("the analytics", rebuildAnalytics(projects.get(project))),
  );
};
