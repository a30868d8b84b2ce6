import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { AppDeps } from "../../app-deps.ts";
import { history } from "./routes/history.ts";
import { markReady } from "./routes/mark-ready.ts";
import { retry } from "./routes/retry.ts";
import { skipReview } from "./routes/skip-review.ts";
import { start } from "./routes/start.ts";
import { status } from "./routes/status.ts";
import { triggerRefine } from "./routes/trigger-refine.ts";

/** The routes of seed 001's review loop. */
export const reviewLoopRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, deps) => {
  for (const route of [start, status, history, skipReview, retry, triggerRefine, markReady])
    await app.register(route, deps);
};
