import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { AppDeps } from "../../../app-deps.ts";
import { signalRoute } from "../signal-route.ts";

/** Has the open findings fixed now. */
export const triggerRefine: FastifyPluginAsyncZod<AppDeps> = async (app, deps) =>
  signalRoute(app, deps, "refine", "triggerRefinement", "Send the open issues to the fixer");
