import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";
import { answer, answerFor, loopOf, params, projectPath, tags } from "./common.ts";

type App = Parameters<FastifyPluginAsyncZod>[0];
type Signal = "triggerRefinement" | "skipToPR" | "retryStage" | "markReadyForHuman";

/** A route that sends one signal to a feature's loop. */
export function signalRoute(app: App, deps: AppDeps, path: string, signal: Signal, summary: string): void {
  const body = z.strictObject({ ...projectPath, note: z.string().max(20_000).optional() }).nullish();
  app.post(
    `/api/review-loop/:featureId/${path}`,
    { schema: { summary, tags, params, body, response: { 200: answer } } },
    async (request) => {
      const {
        params: { featureId },
        body: asked,
      } = request;
      const loop = await loopOf(deps, request, featureId, asked?.projectPath);
      await loop[signal](featureId, asked?.note);
      return answerFor(loop, featureId);
    },
  );
}
