import { attemptsSince, roundDetail, roundLines, roundRecords } from "@anneal/core/show";
import { promptHash } from "@anneal/engine/evidence";
import { ApiAttempt, ApiRound, ApiRoundLine } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";
import { RequestProblem } from "../../problem.ts";
import { page, pageOf } from "../page.ts";
import { type FoundLoop, isUnchanged, LOOP, loopNamed, loopParams, textOf, unchanged } from "./loops-common.ts";

const tags = ["loops"];
const params = loopParams.extend({ round: z.coerce.number().int().min(1).max(10_000) });
const plainText = z.unknown().meta({ type: "string", description: "text/plain" });

/** The reviews of a loop. */
export const roundRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, deps) => {
  const clean = deps.mask.text;

  app.get(
    `${LOOP}/rounds`,
    {
      schema: {
        summary: "List the rounds of a loop, oldest first",
        tags,
        params: loopParams,
        querystring: page,
        response: {
          200: z.object({
            rounds: z.array(ApiRoundLine),
            /** Reviews since the last round, which came to nothing. */
            attempts: z.array(ApiAttempt),
            next: z.string().nullable(),
          }),
        },
      },
    },
    async ({ params, query }) => {
      const found = loopNamed(deps, params);
      const records = recordsOf(found);
      const lines = roundLines(found.history.started.base, records);
      const { entries, next } = pageOf(lines, query, ({ number }) => String(number));
      return { rounds: entries, attempts: attemptsSince(records), next };
    },
  );

  app.get(
    `${LOOP}/rounds/:round`,
    {
      schema: {
        summary: "Get one round: report, verdict, coverage, scorecard, cost, the work before it and the fix after it",
        tags,
        params,
        response: { 200: ApiRound, ...unchanged },
      },
    },
    async (request, reply) => {
      const found = loopNamed(deps, request.params);
      const { policy, started } = found.history;
      const about = { policy, base: started.base };
      const round = roundDetail(about, recordsOf(found), request.params.round, textOf(found.served, deps));
      if (round === null) throw noRound(found, request.params.round);
      return isUnchanged(request, reply, round) ? reply.status(304).send(null) : round;
    },
  );

  app.get(
    `${LOOP}/rounds/:round/prompt`,
    {
      schema: {
        summary: "Get the prompt of a round's reviewer, or of the agent that made its head",
        tags,
        params,
        querystring: z.object({ of: z.enum(["reviewer", "maker"]).default("reviewer") }),
        response: { 200: plainText, ...unchanged },
      },
    },
    async (request, reply) => {
      const found = loopNamed(deps, request.params);
      const { round } = request.params;
      const records = recordsOf(found);
      if (!records.rounds.some((one) => one.round.number === round)) throw noRound(found, round);
      const hash = promptHash(records, round, request.query.of);
      if (hash === null)
        throw new RequestProblem("not-found", `the log has no prompt of the ${request.query.of} of round ${round}`);
      const text = textOf(found.served, deps)(hash);
      if (text === null) throw new RequestProblem("not-found", `the prompt of round ${round} was removed by anneal gc`);
      if (isUnchanged(request, reply, hash)) return reply.status(304).send(null);
      return reply.type("text/plain; charset=utf-8").send(clean(text));
    },
  );
};

function recordsOf({ history: { policy, events } }: FoundLoop) {
  return roundRecords(
    policy,
    events.map(({ event }) => event),
  );
}

function noRound({ history }: FoundLoop, round: number): RequestProblem {
  const done = history.state.rounds.map(({ number }) => number).join(", ") || "none yet";
  return new RequestProblem("not-found", `no round ${round} of ${history.row.loop}; known: ${done}`);
}
