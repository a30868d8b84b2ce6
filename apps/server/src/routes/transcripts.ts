import { Readable } from "node:stream";
import { discreetParts, openTranscript, transcriptsOf } from "@anneal/engine/evidence";
import { openBlobs } from "@anneal/engine/project";
import { ApiError, ApiTranscript, TranscriptId } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../app.ts";
import { Problem } from "../problem.ts";
import {
  heldSecrets,
  isUnchanged,
  keepSecrets,
  LOOP,
  loopNamed,
  loopParams,
  page,
  pageOf,
  refusals,
  unchanged,
} from "./loops-common.ts";
import { rangeOf } from "./transcripts-range.ts";

const tags = ["transcripts"];
const lines = z.unknown().meta({ type: "string", description: "text/plain: one JSON object per line" });

/** What was seen of a loop's agents at work. */
export const transcriptRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, deps) => {
  keepSecrets(app);
  const secrets = heldSecrets();

  app.get(
    `${LOOP}/transcripts`,
    {
      schema: {
        summary: "The transcripts of a loop, oldest first; one that is being written comes last",
        tags,
        params: loopParams,
        querystring: page,
        response: { 200: z.object({ transcripts: z.array(ApiTranscript), next: z.string().nullable() }), ...refusals },
      },
    },
    async ({ params, query }) => {
      const { served, history } = loopNamed(deps, params);
      const all = transcriptsOf(served.root, history, openBlobs(served.root, deps));
      const { entries, next } = pageOf(all, query, ({ id }) => id);
      return { transcripts: entries, next };
    },
  );

  app.get(
    `${LOOP}/transcripts/:transcript`,
    {
      schema: {
        summary: "A transcript, or a range of its bytes; X-Transcript-State says whether it still grows",
        tags,
        params: loopParams.extend({ transcript: TranscriptId }),
        response: { 200: lines, 206: lines, 416: ApiError, ...unchanged, ...refusals },
      },
    },
    async (request, reply) => {
      const { served, history } = loopNamed(deps, request.params);
      const id = request.params.transcript;
      const open = openTranscript(served.root, history, id, openBlobs(served.root, deps));
      if (open === null)
        throw new Problem("not-found", `there is no transcript ${id}, or none any more; transcripts lists them`);
      const { state, hash, size } = open;
      void reply.headers({ "accept-ranges": "bytes", "x-transcript-state": state });
      const range = rangeOf(request.headers.range, size);
      const known = hash !== null && isUnchanged(request, reply, hash);
      if (known || range === "outside") open[Symbol.dispose]();
      if (known) return reply.status(304).send(null);
      if (range === "outside") {
        const error = `Range: it has ${size} bytes${state === "running" ? " so far" : ""}`;
        return reply
          .status(416)
          .header("content-range", `bytes */${size}`)
          .send({ success: false as const, code: "bad-request" as const, error });
      }
      const { offset, length } = range ?? { offset: 0, length: size };
      if (range !== null)
        void reply.header(
          "content-range",
          `bytes ${offset}-${offset + length - 1}/${state === "running" ? "*" : size}`,
        );
      const parts = Readable.from(discreetParts(open, { offset, length }, secrets));
      parts.once("close", () => open[Symbol.dispose]());
      return reply
        .status(range === null ? 200 : 206)
        .header("content-length", length)
        .type("text/plain; charset=utf-8")
        .send(parts);
    },
  );
};
