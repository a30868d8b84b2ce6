import { columnOf } from "@anneal/core/board";
import { findingsFiles, isStoryDone, storyBranch } from "@anneal/core/stories";
import { currentLoop, historyOf, keyOf, loopStatus } from "@anneal/engine/project";
import { findStories, type KnownStory, knownStories } from "@anneal/engine/stories";
import { type ApiStory, ApiStoryDetail, ApiStoryPage, ProjectId, StoryId } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";
import { RequestProblem } from "../../problem.ts";
import type { ServedProject } from "../../projects/served-project.ts";
import { page, pageOf } from "../page.ts";

const project = ProjectId;
const tags = ["stories"];

/** Stories, as their files and the log tell them. */
export const storyRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, { projects }) => {
  app.get(
    "/api/projects/:project/stories",
    {
      schema: {
        summary: "List stories",
        tags,
        params: z.object({ project }),
        querystring: page,
        response: { 200: ApiStoryPage },
      },
    },
    async ({ params, query }) => {
      const served = projects.get(params.project);
      const all = await allStories(served.root);
      const { entries, ...rest } = pageOf(all, query, ({ id }) => id);
      const done = doneOf(all);
      return { ...rest, stories: entries.map((one) => storyOf(served, one, done)) };
    },
  );

  app.get(
    "/api/projects/:project/stories/:story",
    {
      schema: {
        summary: "Get a story with its criteria and tasks, and the path of its findings documents",
        tags,
        params: z.object({ project, story: StoryId }),
        response: { 200: ApiStoryDetail },
      },
    },
    async ({ params }) => {
      const served = projects.get(params.project);
      const all = await allStories(served.root);
      const found = all.find(({ id }) => id === params.story);
      if (found === undefined)
        throw new RequestProblem("not-found", `there is no story ${params.story} in ${served.name}`);
      const { acceptanceCriteria: criteria = [], tasks = [] } = found.story?.story ?? {};
      return { ...storyOf(served, found, doneOf(all)), criteria, tasks, findings: findingsOf(served, found.id) };
    },
  );
};

/** Those that were named once, and those that lie in the repository besides. */
export async function allStories(root: string): Promise<KnownStory[]> {
  const known = await knownStories(root);
  const names = new Set(known.map(({ id }) => id));
  const others = (await findStories(root)).stories.filter(({ story }) => !names.has(story.id));
  return [...known, ...others.map((story) => ({ id: story.story.id, story, damaged: null }))];
}

function doneOf(all: readonly KnownStory[]): Set<string> {
  return new Set(all.filter((one) => isStoryDone(one.story?.story.status)).map((one) => one.id));
}

function storyOf({ store }: ServedProject, { id, story, damaged }: KnownStory, done: ReadonlySet<string>): ApiStory {
  const { title = "", status = null, dependsOn = [] } = story?.story ?? {};
  const key = keyOf({ kind: "story", id });
  const row = currentLoop(store, key);
  return {
    id,
    key,
    title: title === "" ? (row?.summary.title ?? "") : title,
    file: story?.file ?? null,
    status,
    // While a loop is open the log knows better than the file, which people write too.
    column: row !== null && row.stage !== "ended" ? row.summary.status : columnOf("story", status),
    branch: row?.summary.branch ?? (story === null ? null : storyBranch(story.story)),
    dependsOn: [...dependsOn],
    blockedBy: dependsOn.filter((needed) => !done.has(needed)),
    damaged,
    loop: row === null ? null : loopStatus(row),
  };
}

function findingsOf({ store }: ServedProject, id: string): string[] {
  const row = currentLoop(store, keyOf({ kind: "story", id }));
  if (row === null) return [];
  const { state } = historyOf(store, row);
  return findingsFiles({ id, title: row.summary.title }, state).map(({ waitsAt }) => waitsAt);
}
