import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { AppDeps } from "../../../app-deps.ts";
import { signalRoute } from "../signal-route.ts";

/** Hands the pull request to people. */
export const markReady: FastifyPluginAsyncZod<AppDeps> = async (app, deps) =>
  signalRoute(app, deps, "ready", "markReadyForHuman", "Mark the pull request as ready for human review");
