import { UsageError } from "@anneal/engine";
import { PROMPT_KEYS, previewPrompt, promptBook } from "@anneal/engine/customisation";
import {
  ApiPromptChange,
  ApiPromptKey,
  ApiPromptPreview,
  ApiPromptPreviewRequest,
  ApiPrompts,
  FeatureId,
  ProjectId,
} from "@anneal/types";
import { isRecord } from "@anneal/types/unknown";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";
import { voiceOf } from "../../auth/voice.ts";
import { etagOf, hasVersion, ifMatch, stale, versionMeant } from "../../etag.ts";
import { onFiles } from "../../file-problem.ts";
import { RequestProblem } from "../../problem.ts";
import { changeSettings, contentOf } from "../../settings/settings-file.ts";

const tags = ["prompts"];
const WORDS = "the text of the prompts";
const ofProject = z.object({ project: ProjectId });
const ofPrompt = ofProject.extend({ key: ApiPromptKey });
const AT = "/api/projects/:project/prompts";

/** The prompts of reviews as a project words them; what it says goes over the global words, and those over the defaults. */
export const promptRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, { projects, settings, clock }) => {
  /** Both files decide what is shown, so both are in the version. */
  const versionOf = async (root: string) => {
    const [own, everywhere] = await Promise.all([contentOf(settings.place(root)), contentOf(settings.place(null))]);
    return { own: own.version, whole: `${own.version}.${everywhere.version}` };
  };
  const book = async (root: string): Promise<ApiPrompts> => {
    const [{ whole }, loaded] = await Promise.all([versionOf(root), settings.load(root)]);
    return { prompts: promptBook(loaded), version: whole };
  };
  const change = async (request: FastifyRequest, reply: FastifyReply, project: string, words: Words) => {
    const { root } = projects.get(project);
    voiceOf(request)("settings");
    const meant = versionMeant(request.headers);
    const now = await versionOf(root);
    if (meant !== now.whole) throw stale(WORDS, now.whole);
    await onFiles(
      WORDS,
      changeSettings(settings.place(root), now.own, (current) => withWords(current, words)),
    );
    await settings.look(root);
    const shown = await book(root);
    return reply.header("etag", etagOf(shown.version)).send(shown);
  };

  app.get(
    AT,
    {
      schema: {
        summary: "List each prompt with its default, the custom texts, the one in use, and its placeholders",
        tags,
        params: ofProject,
        response: { 200: ApiPrompts, 304: z.null() },
      },
    },
    async (request, reply) => {
      const shown = await book(projects.get(request.params.project).root);
      void reply.header("etag", etagOf(shown.version));
      return hasVersion(request.headers, shown.version) ? reply.status(304).send(null) : reply.send(shown);
    },
  );

  app.put(
    `${AT}/:key`,
    {
      schema: {
        summary: "Set a custom text for a prompt, switched on or off",
        tags,
        params: ofPrompt,
        headers: ifMatch,
        body: ApiPromptChange,
        response: { 200: ApiPrompts },
      },
    },
    (request, reply) => change(request, reply, request.params.project, { [request.params.key]: request.body }),
  );

  const reset = { tags, headers: ifMatch, response: { 200: ApiPrompts } };
  app.delete(
    `${AT}/:key`,
    { schema: { ...reset, summary: "Reset a prompt to the global text or the default", params: ofPrompt } },
    (request, reply) => change(request, reply, request.params.project, { [request.params.key]: null }),
  );
  app.delete(
    AT,
    { schema: { ...reset, summary: "Reset all prompts of code reviews", params: ofProject } },
    (request, reply) =>
      change(request, reply, request.params.project, Object.fromEntries(PROMPT_KEYS.map((key) => [key, null]))),
  );

  app.post(
    `${AT}/:key/preview`,
    {
      schema: {
        summary: "Preview a prompt as a reviewer reads it, for a feature or an example, with warnings",
        tags,
        params: ofPrompt,
        body: ApiPromptPreviewRequest,
        response: { 200: ApiPromptPreview },
      },
    },
    async ({ params: { project, key }, body: { itemId, text } }) => {
      const served = projects.get(project);
      if (itemId !== undefined && !FeatureId.safeParse(itemId).success)
        throw new RequestProblem("not-found", `there is no feature ${itemId}`);
      const loaded = await settings.load(served.root);
      const inUse = promptBook(loaded).find((prompt) => prompt.key === key)?.inUse ?? "";
      const asked = { key, itemId, text: text ?? inUse, settings: loaded };
      const made = onFiles(`feature ${itemId ?? ""}`, previewPrompt(served, asked, clock));
      const preview = await made.catch((error: unknown) => {
        throw error instanceof UsageError ? new RequestProblem("conflict", error.message) : error;
      });
      if (preview === null) throw new RequestProblem("not-found", `there is no feature ${itemId}`);
      return preview;
    },
  );
};

/** By key; null takes the project's word away. */
type Words = { [key in ApiPromptKey]?: ApiPromptChange | null };

/** What others keep beside the prompts stays, and nothing empty is left. */
function withWords(current: Record<string, unknown>, words: Words): Record<string, unknown> {
  const groups = isRecord(current.promptCustomization) ? current.promptCustomization : {};
  const codeReview = new Map(Object.entries(isRecord(groups.codeReview) ? groups.codeReview : {}));
  for (const [key, word] of Object.entries(words)) {
    if (word === null) codeReview.delete(key);
    else codeReview.set(key, word);
  }
  const { codeReview: _, ...others } = groups;
  const next = codeReview.size === 0 ? others : { ...groups, codeReview: Object.fromEntries(codeReview) };
  const { promptCustomization: __, ...rest } = current;
  return Object.keys(next).length === 0 ? rest : { ...current, promptCustomization: next };
}
