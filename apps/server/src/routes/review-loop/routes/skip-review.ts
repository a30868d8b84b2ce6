import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { AppDeps } from "../../../app-deps.ts";
import { signalRoute } from "../signal-route.ts";

/** Skips the review: a draft that says NOT REVIEWED. */
export const skipReview: FastifyPluginAsyncZod<AppDeps> = async (app, deps) =>
  signalRoute(app, deps, "skip", "skipToPR", "Skip the review and open a draft pull request marked NOT REVIEWED");
