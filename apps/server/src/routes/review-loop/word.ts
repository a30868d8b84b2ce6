import type { SignalName } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../app.ts";
import { tell } from "../../projects/tell.ts";
import { answer, answerFor, params, projectOf, projectPath, tags } from "./common.ts";

type App = Parameters<FastifyPluginAsyncZod>[0];

/** A route that says one word to a feature's loop. */
export function word(app: App, deps: AppDeps, path: string, signal: SignalName, summary: string): void {
  const body = z.strictObject({ ...projectPath, note: z.string().max(20_000).optional() }).nullish();
  app.post(
    `/api/review-loop/:featureId/${path}`,
    { schema: { summary, tags, params, body, response: { 200: answer } } },
    async ({ params: { featureId }, body: said }) => {
      const project = await projectOf(deps, featureId, said?.projectPath);
      await tell(project, featureId, { signal, note: said?.note }, deps.clock);
      return answerFor(project, featureId);
    },
  );
}
