import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { AppDeps } from "../../app-deps.ts";
import { certificateRoutes } from "./certificate.ts";
import { findingRoutes } from "./findings.ts";
import { loopRoutes } from "./loops.ts";
import { diffRoutes } from "./loops-diff.ts";
import { questionRoutes } from "./questions.ts";
import { roundRoutes } from "./rounds.ts";
import { transcriptRoutes } from "./transcripts.ts";

/** All that can be read of a loop, and what can be said about its findings. */
export const loopPages: FastifyPluginAsyncZod<AppDeps> = async (app, deps) => {
  await app.register(loopRoutes, deps);
  await app.register(roundRoutes, deps);
  await app.register(findingRoutes, deps);
  await app.register(diffRoutes, deps);
  await app.register(transcriptRoutes, deps);
  await app.register(certificateRoutes, deps);
  await app.register(questionRoutes, deps);
};
