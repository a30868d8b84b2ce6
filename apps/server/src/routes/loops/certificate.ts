import { pullRequestOf } from "@anneal/core/show";
import { certified } from "@anneal/engine/evidence";
import { ApiCertificate, ApiPullRequest } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { AppDeps } from "../../app-deps.ts";
import { RequestProblem } from "../../problem.ts";
import { isUnchanged, LOOP, loopNamed, loopParams, unchanged } from "./loops-common.ts";

const tags = ["loops"];

/** What a loop proves, and what became of it outside. */
export const certificateRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, deps) => {
  app.get(
    `${LOOP}/certificate`,
    {
      schema: {
        summary:
          "Get the certificate: what was reviewed, by whom, with what result. It is valid for one base and one head",
        tags,
        params: loopParams,
        response: { 200: ApiCertificate, ...unchanged },
      },
    },
    async (request, reply) => {
      const { served, history } = loopNamed(deps, request.params);
      const made = await certified(served.repo, history);
      if (made === null)
        throw new RequestProblem(
          "not-found",
          `the log of the loop ${history.row.loop} is damaged: its first event is not loop-started`,
        );
      return isUnchanged(request, reply, made) ? reply.status(304).send(null) : made;
    },
  );

  app.get(
    `${LOOP}/pull-request`,
    {
      schema: {
        summary:
          "Get the pull request of a loop, as recorded in the log: checks, reviews, questions, answers, and what needs a person",
        tags,
        params: loopParams,
        response: { 200: ApiPullRequest, ...unchanged },
      },
    },
    async (request, reply) => {
      const { history } = loopNamed(deps, request.params);
      const { policy, state } = history;
      const events = history.events.map(({ event }) => event);
      const pull = pullRequestOf(policy, state, events);
      if (pull === null) throw new RequestProblem("not-found", `the loop ${history.row.loop} has no pull request`);
      return isUnchanged(request, reply, pull) ? reply.status(304).send(null) : pull;
    },
  );
};
