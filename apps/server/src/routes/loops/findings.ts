import { escalationOf, findingsOf, roundRecords } from "@anneal/core/show";
import { historyOf, rightOf, sendSignal } from "@anneal/engine/project";
import { ApiEscalation, ApiFinding, type DispositionAction, DispositionRequest } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";
import { voiceOf } from "../../auth/voice.ts";
import { RequestProblem } from "../../problem.ts";
import { page, pageOf } from "../page.ts";
import { type FoundLoop, isUnchanged, LOOP, loopNamed, loopParams, unchanged } from "./loops-common.ts";

const tags = ["findings"];

const DISPOSITIONS = {
  dismiss: "dismissed",
  "accept-risk": "accepted-risk",
  defer: "deferred",
  reopen: "open",
} as const satisfies Record<Exclude<DispositionAction, "tell">, string>;

/** What reviews found, and what people decide about it. */
export const findingRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, deps) => {
  app.get(
    `${LOOP}/findings`,
    {
      schema: {
        summary: "List every finding of a loop with its history over the rounds; blocking ones first",
        tags,
        params: loopParams,
        querystring: page,
        response: { 200: z.object({ findings: z.array(ApiFinding), next: z.string().nullable() }) },
      },
    },
    async ({ params, query }) => {
      const { entries, next } = pageOf(findingsIn(loopNamed(deps, params)), query, (one) => one.fingerprint);
      return { findings: entries, next };
    },
  );

  app.post(
    `${LOOP}/findings/:fingerprint/disposition`,
    {
      schema: {
        summary: "Rule on a finding: dismiss it, accept its risk, defer it, reopen it, or leave a note for the fixer",
        tags,
        params: loopParams.extend({ fingerprint: z.string().min(4).max(200) }),
        body: DispositionRequest,
        response: {
          200: z.object({ success: z.literal(true), finding: ApiFinding }),
          202: z.object({ success: z.literal(true), queued: z.literal(true) }),
        },
      },
    },
    async (request, reply) => {
      const { params, body } = request;
      const found = loopNamed(deps, params);
      const { fingerprint } = findingNamed(found, params.fingerprint);
      const { root, store } = found.served;
      const said =
        body.action === "tell"
          ? { fingerprint, tell: body.note }
          : { fingerprint, disposition: DISPOSITIONS[body.action], reason: body.reason };
      const { row } = found.history;
      const answer = await sendSignal(
        { root, store, row, ...voiceOf(request)(rightOf(said)), clock: deps.clock },
        said,
      );
      if (answer.result === "refused") throw new RequestProblem("conflict", answer.reason);
      if (answer.result === "queued") return reply.status(202).send({ success: true as const, queued: true as const });
      const now = { ...found, history: historyOf(store, store.loop(row.loop) ?? row) };
      return { success: true as const, finding: findingNamed(now, fingerprint) };
    },
  );

  app.get(
    `${LOOP}/escalation`,
    {
      schema: {
        summary: "Get what a person needs to decide how a waiting loop continues",
        tags,
        params: loopParams,
        response: { 200: ApiEscalation, ...unchanged },
      },
    },
    async (request, reply) => {
      const found = loopNamed(deps, request.params);
      const { started, policy, state } = found.history;
      const packet = escalationOf(started.item, policy, state, findingsIn(found));
      if (packet === null)
        throw new RequestProblem(
          "not-found",
          `${found.history.row.loop} is not waiting for a decision about its findings; it is ${state.stage}`,
        );
      return isUnchanged(request, reply, packet) ? reply.status(304).send(null) : packet;
    },
  );
};

function findingsIn({ history: { policy, state, events: logged } }: FoundLoop): ApiFinding[] {
  const events = logged.map(({ event }) => event);
  return findingsOf({ policy, state, events, rounds: roundRecords(policy, events).rounds });
}

function findingNamed(found: FoundLoop, fingerprint: string): ApiFinding {
  const finding = findingsIn(found).find((one) => one.fingerprint === fingerprint);
  if (finding !== undefined) return finding;
  throw new RequestProblem(
    "not-found",
    `${found.history.row.loop} has no finding ${fingerprint}; list them with GET …/findings`,
  );
}
