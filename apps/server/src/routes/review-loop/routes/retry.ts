import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { AppDeps } from "../../../app-deps.ts";
import { signalRoute } from "../signal-route.ts";

/** Tries the stage that broke once more. */
export const retry: FastifyPluginAsyncZod<AppDeps> = async (app, deps) =>
  signalRoute(app, deps, "retry", "retryStage", "Retry the stage that failed");
