import { statfs } from "node:fs/promises";
import { unboxedHere } from "@anneal/engine/doctor";
import { stopsLoops } from "@anneal/engine/project";
import { ApiHealth, ApiReady } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { AppDeps } from "../app-deps.ts";
import type { ServedProject } from "../projects/served-project.ts";
import type { LiveSettings } from "../settings/live-settings.ts";

/** With less a commit may fail half way. */
const LEAST_FREE_BYTES = 64 * 1024 * 1024;

const tags = ["server"];

/** Whether the server lives, and whether it can do its work. */
export const healthRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, { projects, settings }) => {
  app.get(
    "/api/health",
    {
      config: { entrance: "open", whileStopping: true },
      schema: { summary: "Whether the server is alive; needs no login", tags, response: { 200: ApiHealth } },
    },
    async () => ({ status: "ok" as const }),
  );

  app.get(
    "/api/ready",
    {
      config: { whileStopping: true },
      schema: {
        summary: "Whether every project is open, its log readable, its disk not full, and its settings valid",
        tags,
        response: { 200: ApiReady, 503: ApiReady },
      },
    },
    async (_request, reply) => {
      const all = await Promise.all(projects.all().map((project) => readinessOf(project, settings)));
      const ready = !projects.closing && all.every((one) => one.ready);
      const detail = await unboxedHere();
      const sandbox = { works: detail === null, detail };
      return reply.status(ready ? 200 : 503).send({ ready, sandbox, projects: all });
    },
  );
};

async function readinessOf(project: ServedProject, live: LiveSettings): Promise<ApiReady["projects"][number]> {
  const { id, root, owned, store, trouble } = project;
  const log = logOf(store);
  const gone = project.isGone();
  const freeBytes = gone ? null : await freeBytesAt(root);
  const settings = (await live.load(root)).problems.filter(stopsLoops);
  const room = freeBytes !== null && freeBytes >= LEAST_FREE_BYTES;
  const ready = "lastSeq" in log && room && settings.length === 0 && trouble === null;
  const owner = gone ? "nobody" : owned ? "this-server" : "another-process";
  return { id, owner, log, freeBytes, settings, trouble, ready };
}

function freeBytesAt(root: string): Promise<number | null> {
  return statfs(root).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  );
}

function logOf(store: ServedProject["store"]): ApiReady["projects"][number]["log"] {
  try {
    return { lastSeq: store.lastSeq() };
  } catch {
    return { error: "the log cannot be read; see anneal doctor" };
  }
}
