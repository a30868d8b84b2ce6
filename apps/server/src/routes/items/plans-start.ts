import { join } from "node:path";
import { UsageError } from "@anneal/engine";
import { epicCast, problemText as epicProblem, planEpic, resumeWaiting } from "@anneal/engine/epics";
import { branchProblems, namedStories, rememberStories, problemText as storyProblem } from "@anneal/engine/stories";
import { planUnits, refuseUnits, problemText as unitProblem, unitsNamed } from "@anneal/engine/units";
import { ProjectId, StoryId } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";
import { voiceOf } from "../../auth/voice.ts";
import { RequestProblem } from "../../problem.ts";
import type { ServedProject } from "../../projects/served-project.ts";
import { allStories } from "./stories.ts";

const project = ProjectId;
const name = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "letters, digits, dots and dashes");
const answer = { 202: z.object({ success: z.literal(true), items: z.array(z.string()) }) };

/** Starts what waits in files: a story, the open tickets of an epic, a unit. What is wrong in a file is told, and nothing starts. */
export const planStartRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, { projects, clock }) => {
  app.post(
    "/api/projects/:project/stories/:story/start",
    {
      schema: {
        summary: "Start a story",
        tags: ["stories"],
        params: z.object({ project, story: StoryId }),
        response: answer,
      },
    },
    async ({ params }, reply) => {
      const served = projects.get(params.project);
      const found = (await allStories(served.root)).find(({ id }) => id === params.story);
      if (found === undefined)
        throw new RequestProblem("not-found", `there is no story ${params.story} in ${served.name}`);
      if (found.story === null)
        throw new RequestProblem("conflict", found.damaged ?? `the file of ${params.story} is gone`);
      const named = await namedStories(served.root, [found.story.file]);
      refuse([...named.problems, ...(await branchProblems(served, named.stories))].map(storyProblem));
      await rememberStories(served.repo, [...named.stories, ...named.needed]);
      return reply.status(202).send(start(served, [`story:${params.story}`]));
    },
  );

  app.post(
    "/api/projects/:project/epics/:epic/start",
    {
      schema: {
        summary: "Start the tickets of an epic that are not done and have not failed",
        tags: ["epics"],
        params: z.object({ project, epic: name }),
        response: answer,
      },
    },
    async (request, reply) => {
      const { params } = request;
      const served = projects.get(params.project);
      const { root } = served;
      const planned = await planEpic(served, params.epic, { caller: { cwd: root, here: root, root } }).catch(unknown);
      if (!planned.ok) throw new RequestProblem("conflict", planned.problems.map(epicProblem).join("; "));
      const { plan } = planned;
      refuse((await epicCast(root, plan, { cast: {} })).problems);
      // Else the start would find a loop that waits, and nothing would happen.
      const talk = { root, store: served.store, ...voiceOf(request)(null), clock };
      const sent = plan.mergesAgain ? await resumeWaiting(talk, plan, plan.key) : null;
      refuse(sent?.answer.result === "refused" ? [sent.answer.reason] : []);
      const open = plan.tickets.filter(({ status }) => status !== "completed" && status !== "failed");
      return reply.status(202).send(start(served, [...open.map(({ key }) => key), plan.key]));
    },
  );

  app.post(
    "/api/projects/:project/units/:unit/start",
    {
      schema: {
        summary: "Start a unit; it is merged into the branch that is checked out in the project",
        tags: ["units"],
        params: z.object({ project, unit: name }),
        response: answer,
      },
    },
    async ({ params }, reply) => {
      const served = projects.get(params.project);
      const { root } = served;
      const ids = await unitsNamed({ cwd: join(root, "specs/tasks"), here: root, root }, [params.unit]).catch(unknown);
      const { units, problems } = await planUnits(root, ids);
      refuse(problems.map(unitProblem));
      const into = await served.repo.branchName();
      if (into === null)
        throw new RequestProblem(
          "conflict",
          "a unit is merged into the branch that is checked out, and the project has none checked out; run git switch BRANCH there",
        );
      await refuseUnits(served, { into, ids }).catch(asConflict);
      return reply.status(202).send(
        start(
          served,
          units.map(({ key }) => key),
          { into },
        ),
      );
    },
  );
};

/** What nobody knows by that name. */
function unknown(error: unknown): never {
  throw error instanceof UsageError ? new RequestProblem("not-found", error.message) : error;
}

function asConflict(error: unknown): never {
  throw error instanceof UsageError ? new RequestProblem("conflict", error.message) : error;
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new RequestProblem("conflict", problems.join("; "));
}

function start(served: ServedProject, items: string[], overrides: { into?: string } = {}) {
  for (const item of items) served.start(item, "web", overrides);
  return { success: true as const, items };
}
