import { ReviewRefused } from "@anneal/engine/services";
import { GenerateReviewAnswer, GenerateReviewRequest } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { AppDeps } from "../../../app-deps.ts";
import { voiceOf } from "../../../auth/voice.ts";
import { RequestProblem } from "../../../problem.ts";
import { AutoModeService } from "../../../services/auto-mode-service.ts";

/** Answers when the review of a feature has ended; it goes on when the client leaves, and is told again to whoever asks again. */
export const generateReview: FastifyPluginAsyncZod<AppDeps> = async (app, { projects, clock }) => {
  app.post(
    "/api/code-review/generate-review",
    {
      schema: {
        summary: "Wait for the review of a feature that is in code_review, or return the recorded one",
        tags: ["code review"],
        body: GenerateReviewRequest,
        response: { 200: GenerateReviewAnswer },
      },
    },
    async (request, reply) => {
      const { projectPath, featureId, iterationNumber, worktreePath } = request.body;
      const left = new AbortController();
      reply.raw.once("close", () => left.abort());
      const service = new AutoModeService((path) => projects.at(path), {
        clock,
        speaker: voiceOf(request)(null),
        signal: left.signal,
      });
      const { status } = await service
        .generateCodeReview(projectPath, featureId, iterationNumber, worktreePath)
        .catch((error: unknown) => {
          throw error instanceof ReviewRefused ? problemFor(error) : error;
        });
      return { success: true as const, featureId, iterationNumber, status };
    },
  );
};

function problemFor({ code, message }: ReviewRefused): RequestProblem {
  const [path = "", ...rest] = message.split(": ");
  return new RequestProblem(code, message, code === "bad-request" ? [{ path, message: rest.join(": ") }] : undefined);
}
