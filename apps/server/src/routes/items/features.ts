import type { StoredFeature } from "@anneal/adapters/features";
import { ApiError, ApiFeature, ApiFeaturePatch, ApiNewFeature, FeatureId, ProjectId } from "@anneal/types";
import type { FastifyReply } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";
import { voiceOf } from "../../auth/voice.ts";
import { etagOf, hasVersion, ifMatch, versionMeant } from "../../etag.ts";
import { changeFeature, createFeature, readFeature, removeFeature } from "../../projects/item-features.ts";
import { namingMoves } from "./name-moves.ts";

const project = ProjectId;
const one = z.object({ project, feature: FeatureId });
const tags = ["features"];
const JSON_TYPE = "application/json; charset=utf-8";

/** Features as their files hold them. */
export const featureRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, deps) => {
  const { projects, clock } = deps;
  app.post(
    "/api/projects/:project/features",
    {
      schema: {
        summary: "Add a feature to the backlog",
        tags,
        params: z.object({ project }),
        body: ApiNewFeature,
        response: { 201: ApiFeature },
      },
    },
    async (request, reply) => {
      const made = await createFeature(projects.get(request.params.project), request.body);
      const address = `/api/projects/${request.params.project}/features/${made.id}`;
      return tagged(reply, made).status(201).header("location", address).type(JSON_TYPE).send(asJson(made));
    },
  );

  app.get(
    "/api/projects/:project/features/:feature",
    {
      schema: {
        summary: "Get a whole feature, including the fields of other tools",
        tags,
        params: one,
        response: { 200: ApiFeature, 304: z.null(), 409: ApiError },
      },
    },
    async (request, reply) => {
      const found = await readFeature(projects.get(request.params.project), request.params.feature);
      if (hasVersion(request.headers, found.version)) return tagged(reply, found).status(304).send(null);
      return tagged(reply, found).status(200).type(JSON_TYPE).send(asJson(found));
    },
  );

  app.patch(
    "/api/projects/:project/features/:feature",
    {
      schema: {
        summary: "Edit a feature, or move it on the board; needs If-Match",
        tags,
        params: one,
        headers: ifMatch,
        body: ApiFeaturePatch,
        response: { 200: ApiFeature, 202: ApiFeature },
      },
      errorHandler: namingMoves(deps, "/status"),
    },
    async (request, reply) => {
      const { project: id, feature } = request.params;
      const change = { patch: request.body, ifVersion: versionMeant(request.headers) };
      const changed = await changeFeature(projects.get(id), feature, change, { voice: voiceOf(request), clock });
      return tagged(reply, changed)
        .status(changed.queued ? 202 : 200)
        .type(JSON_TYPE)
        .send(asJson(changed));
    },
  );

  app.delete(
    "/api/projects/:project/features/:feature",
    {
      schema: {
        summary: "Delete a feature and its folder; its loop is paused. Needs If-Match, which may be *",
        tags,
        params: one,
        headers: ifMatch,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { project: id, feature } = request.params;
      const any = request.headers["if-match"]?.trim() === "*";
      await removeFeature(projects.get(id), feature, any ? "*" : versionMeant(request.headers), clock);
      return reply.status(204).send(null);
    },
  );
};

function tagged<R extends Pick<FastifyReply, "header">>(reply: R, { version }: Pick<StoredFeature, "version">): R {
  reply.header("etag", etagOf(version));
  return reply;
}

/** The store has read it by the very schema of the answer. */
function asJson({ feature }: StoredFeature): ApiFeature {
  return JSON.stringify(feature) as unknown as ApiFeature;
}
