import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { AppDeps } from "../../app-deps.ts";
import { generateReview } from "./routes/generate-review.ts";

/** Seed 000's routes of the code review. */
export const codeReviewRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, deps) => {
  await app.register(generateReview, deps);
};
