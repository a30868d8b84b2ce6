import { createHash } from "node:crypto";
import { BlobError, historyOf, type LoopHistory, openBlobs } from "@anneal/engine/project";
import { LoopId, ProjectId } from "@anneal/types";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { AppDeps } from "../../app-deps.ts";
import { etagOf, hasVersion } from "../../etag.ts";
import { RequestProblem } from "../../problem.ts";
import type { ServedProject } from "../../projects/served-project.ts";

export const LOOP = "/api/projects/:project/loops/:loop";

export const loopParams = z.object({ project: ProjectId, loop: LoopId });

/** What has not changed since it was read is not sent again. */
export const unchanged = { 304: z.null() };

export interface FoundLoop {
  served: ServedProject;
  history: LoopHistory;
}

/** The loop that an address names. */
export function loopNamed({ projects }: Pick<AppDeps, "projects">, params: z.infer<typeof loopParams>): FoundLoop {
  const served = projects.get(params.project);
  const row = served.store.loop(params.loop);
  if (row === null)
    throw new RequestProblem(
      "not-found",
      `there is no loop ${params.loop}; list the loops of an item with GET …/items/:item/loops`,
    );
  return { served, history: historyOf(served.store, row) };
}

/** Marks an answer with the hash of what it says; true where the client has it already and nothing is to be sent. */
export function isUnchanged(request: FastifyRequest, reply: FastifyReply, says: unknown): boolean {
  const text = typeof says === "string" ? says : JSON.stringify(says);
  const version = createHash("sha256").update(text).digest("hex");
  void reply.header("etag", etagOf(version));
  return hasVersion(request.headers, version);
}

/** The text of a blob; null where it is gone. */
export function textOf({ store }: ServedProject, { clock }: Pick<AppDeps, "clock">): (hash: string) => string | null {
  const blobs = openBlobs(store, { clock });
  return (hash) => {
    try {
      return blobs.getText(hash);
    } catch (error) {
      if (error instanceof BlobError) return null;
      throw error;
    }
  };
}
