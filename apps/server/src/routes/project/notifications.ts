import { ApiNotifications, ApiNotifyTest, ApiNotifyTestRequest, ProjectId } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";
import { voiceOf } from "../../auth/voice.ts";
import { NotificationService } from "../../services/notification-service.ts";

const tags = ["notifications"];
const params = z.object({ project: ProjectId });
const AT = "/api/projects/:project/notifications";

/** How people are told what the loops of a project want of them. */
export const notificationRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, { projects, settings, clock }) => {
  const service = (project: string) => new NotificationService(projects.get(project), settings, clock);
  app.get(
    AT,
    {
      schema: {
        summary: "List the notification channels of a project, what they lack, and how their last message went",
        tags,
        params,
        response: { 200: ApiNotifications },
      },
    },
    async ({ params: { project } }) => await service(project).channels(),
  );
  app.post(
    `${AT}/test`,
    {
      schema: {
        summary: "Send a test message over one channel",
        tags,
        params,
        body: ApiNotifyTestRequest,
        response: { 200: ApiNotifyTest },
      },
    },
    async (request) => {
      // It speaks in the name of whoever set the channel up, and may start a program of theirs.
      voiceOf(request)("settings");
      return await service(request.params.project).sendTest(request.body.channel);
    },
  );
};
