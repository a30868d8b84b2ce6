import { ApiProject, ProjectId } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";
import type { ServedProject } from "../../projects/served-project.ts";

const tags = ["projects"];

export const projectRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, { projects }) => {
  app.get(
    "/api/projects",
    {
      schema: {
        summary: "List all projects of this server",
        tags,
        response: { 200: z.object({ projects: z.array(ApiProject) }) },
      },
    },
    async () => ({
      projects: projects.all().map(projectOf),
    }),
  );

  const params = z.object({ project: ProjectId });
  app.get(
    "/api/projects/:project",
    { schema: { summary: "One project", tags, params, response: { 200: ApiProject } } },
    async ({ params: { project } }) => projectOf(projects.get(project)),
  );

  const body = z.strictObject({ auto: z.boolean() });
  app.patch(
    "/api/projects/:project",
    { schema: { summary: "Turn auto mode on or off", tags, params, body, response: { 200: ApiProject } } },
    async (request) => {
      const project = projects.get(request.params.project);
      project.auto = request.body.auto;
      return projectOf(project);
    },
  );
};

function projectOf({ id, name, root, owned, auto, store }: ServedProject): ApiProject {
  return { id, name, root, owned, auto, lastSeq: store.lastSeq() };
}
