import { Readable } from "node:stream";
import { maskedParts, type OpenRecord, openPrompt, openTranscript, transcriptsOf } from "@anneal/engine/evidence";
import { openBlobs } from "@anneal/engine/project";
import { ApiError, ApiTranscript, TranscriptId } from "@anneal/types";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";
import { RequestProblem } from "../../problem.ts";
import { page, pageOf } from "../page.ts";
import { isUnchanged, LOOP, loopNamed, loopParams, unchanged } from "./loops-common.ts";
import { rangeOf } from "./transcripts-range.ts";

const tags = ["transcripts"];
const lines = z.unknown().meta({ type: "string", description: "text/plain: one JSON object per line" });
const plainText = z.unknown().meta({ type: "string", description: "text/plain" });

/** What was seen of a loop's agents at work. */
export const transcriptRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, deps) => {
  app.get(
    `${LOOP}/transcripts`,
    {
      schema: {
        summary: "List the transcripts of a loop, oldest first; one in progress comes last",
        tags,
        params: loopParams,
        querystring: page,
        response: { 200: z.object({ transcripts: z.array(ApiTranscript), next: z.string().nullable() }) },
      },
    },
    async ({ params, query }) => {
      const { served, history } = loopNamed(deps, params);
      const all = transcriptsOf(served.store, history, openBlobs(served.store, deps));
      const { entries, next } = pageOf(all, query, ({ id }) => id);
      return { transcripts: entries, next };
    },
  );

  app.get(
    `${LOOP}/transcripts/:transcript`,
    {
      schema: {
        summary: "Get a transcript, or a range of its bytes; X-Transcript-State says whether it is still growing",
        tags,
        params: loopParams.extend({ transcript: TranscriptId }),
        response: { 200: lines, 206: lines, 416: ApiError, ...unchanged },
      },
    },
    async (request, reply) => {
      const { served, history } = loopNamed(deps, request.params);
      const id = request.params.transcript;
      const open = openTranscript(served.store, history, id, openBlobs(served.store, deps));
      if (open === null) throw new RequestProblem("not-found", `no transcript ${id}; list them with GET …/transcripts`);
      return sendRecord(request, reply.header("x-transcript-state", open.state), open, deps.mask.secrets.all);
    },
  );

  app.get(
    `${LOOP}/transcripts/:transcript/prompt`,
    {
      schema: {
        summary: "Get the prompts of a run, or a range of their bytes; also of reviews that failed",
        tags,
        params: loopParams.extend({ transcript: TranscriptId }),
        response: { 200: plainText, 206: plainText, 416: ApiError, ...unchanged },
      },
    },
    async (request, reply) => {
      const { served, history } = loopNamed(deps, request.params);
      const id = request.params.transcript;
      const open = openPrompt(history, id, openBlobs(served.store, deps));
      if (open === null)
        throw new RequestProblem(
          "not-found",
          `the prompts of the run ${id} were not recorded, or anneal gc removed them`,
        );
      return sendRecord(request, reply, open, deps.mask.secrets.all);
    },
  );
};

/** Sends a record, or the part of it that was asked for, without what we hold. */
function sendRecord(
  request: FastifyRequest,
  reply: FastifyReply,
  record: OpenRecord,
  secrets: readonly string[],
): FastifyReply {
  const { state, hash, size } = record;
  void reply.header("accept-ranges", "bytes");
  const range = rangeOf(request.headers.range, size);
  const known = hash !== null && isUnchanged(request, reply, hash);
  if (known || range === "outside") record[Symbol.dispose]();
  if (known) return reply.status(304).send(null);
  if (range === "outside") {
    const error = `the Range header asks for bytes after the end: the record has ${size} bytes${state === "running" ? " so far" : ""}`;
    return reply
      .status(416)
      .header("content-range", `bytes */${size}`)
      .send({ success: false as const, code: "bad-request" as const, error });
  }
  const { offset, length } = range ?? { offset: 0, length: size };
  if (range !== null)
    void reply.header("content-range", `bytes ${offset}-${offset + length - 1}/${state === "running" ? "*" : size}`);
  const parts = Readable.from(maskedParts(record, { offset, length }, secrets));
  parts.once("close", () => record[Symbol.dispose]());
  return reply
    .status(range === null ? 200 : 206)
    .header("content-length", length)
    .type("text/plain; charset=utf-8")
    .send(parts);
}
