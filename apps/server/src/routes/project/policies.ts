import { policyBook } from "@anneal/engine/customisation";
import { ApiPolicies, ProjectId } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";

/** The ways to run a loop: the five, and those of the settings. */
export const policyRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, { projects, settings }) => {
  app.get(
    "/api/projects/:project/policies",
    {
      schema: {
        summary: "List every policy with the limits that new loops get, and where it comes from",
        tags: ["policies"],
        params: z.object({ project: ProjectId }),
        response: { 200: ApiPolicies },
      },
    },
    async ({ params: { project } }) => {
      const { root } = projects.get(project);
      return await policyBook(await settings.load(root), root);
    },
  );
};
