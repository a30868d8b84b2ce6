import { DraftRefused, draftedReply } from "@anneal/engine/services";
import { ApiDraftedReply } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";
import { RequestProblem } from "../../problem.ts";
import { LOOP, loopNamed, loopParams } from "./loops-common.ts";

/** Questions that people ask on a pull request. Only people answer them. */
export const questionRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, deps) => {
  app.post(
    `${LOOP}/questions/:source/draft`,
    {
      schema: {
        summary:
          "Have the reviewer's agent draft a reply to a question on the pull request; nothing is stored or posted",
        tags: ["loops"],
        params: loopParams.extend({ source: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER) }),
        response: { 200: ApiDraftedReply },
      },
    },
    async ({ params: { source, ...params } }, reply) => {
      const { served, history } = loopNamed(deps, params);
      const { repo, store, features, mask, closing, drafts } = served;
      const left = new AbortController();
      reply.raw.once("close", () => left.abort());
      const signal = AbortSignal.any([left.signal, closing]);
      const project = { repo, store, features, mask, clock: deps.clock };
      const draft = await drafts
        .one(`${params.loop} ${source}`, signal, () => draftedReply(project, history, source, signal))
        .catch((error: unknown) => {
          throw error instanceof DraftRefused ? new RequestProblem(error.code, error.message) : error;
        });
      return { draft };
    },
  );
};
